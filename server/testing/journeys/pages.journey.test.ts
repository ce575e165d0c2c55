/** Every page of the web client by axe's rules (WCAG 2.2 A and AA), in both themes and at both sizes. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { startService, type Service } from '../running-service.ts';
import { callTag, keepWindows, makeTag, missing_browser, signUp, sizes } from '../windows.ts';

if (missing_browser) process.stderr.write(`the pages in a browser are skipped: ${missing_browser}\n`);
/** Where pictures of all pages are left to be looked at, when somebody wants them. */
const pictures = process.env['PAGES_PICTURES_DIR'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

describe.skipIf(missing_browser)(`the pages in a browser${missing_browser ? `: ${missing_browser}` : ''}`, () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = keepWindows();
  beforeAll(async () => {
    service = await startService();
    ada = await windows.open();
    ben = await windows.open();
    await signUp(service, ada, 'ada', '+14155550101');
    await makeTag(ada, 'evenings');
    await signUp(service, ben, 'ben', '+14155550102');
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  /** What axe and a look at the width find wrong with the page as it stands, in each theme and size. */
  async function inspect(page: Page, name: string): Promise<string[]> {
    const found: string[] = [];
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      for (const theme of ['light', 'dark']) {
        await page.evaluate((chosen) => {
          const { document } = globalThis as unknown as {
            document: { documentElement: { dataset: Record<string, string> } };
          };
          document.documentElement.dataset['theme'] = chosen;
        }, theme);
        await page.evaluate(
          'Promise.allSettled(document.getAnimations().map((one) => one.effect.getComputedTiming().iterations === Infinity ? 0 : one.finished))',
        );
        await page.evaluate(axe);
        const violations = (await page.evaluate(
          `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((result) => result.violations)`,
        )) as Violation[];
        for (const { id, nodes } of violations)
          found.push(
            `${name} ${size} ${theme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
          );
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found.push(`${name} ${size} ${theme}: ${String(overflow)} px wider than the window`);
        if (pictures) {
          mkdirSync(pictures, { recursive: true });
          await page.screenshot({
            path: join(pictures, `${name}-${size}-${theme}.png`),
            fullPage: !name.startsWith('call'),
          });
        }
      }
    }
    await page.setViewportSize(sizes.desk);
    return found;
  }

  it('has nothing against the pages of those who are not signed in', async () => {
    const page = await windows.open();
    const found: string[] = [];
    for (const [path, ready] of [
      ['sign-in', 'Welcome back'],
      ['register', 'Create your account'],
      ['magic-link', 'Sign in by e-mail'],
      ['magic?token=x', 'You are almost in'],
      ['forgot', 'Forgot your password?'],
      ['reset?token=x', 'Choose a new password'],
      ['sign-in/code?login_id=x&channel=email&sent_to=a', ''],
      ['nowhere', ''],
    ] as const) {
      await page.goto(`${service.url}/app/${path}`);
      await (ready ? page.getByRole('heading', { name: ready }) : page.getByRole('heading').first()).waitFor();
      found.push(...(await inspect(page, path.replace(/\W.*/, path.includes('code') ? '-code' : ''))));
    }
    expect(found).toEqual([]);
  });

  it('has nothing against the pages of those who are', async () => {
    const found: string[] = [];
    await ada.goto(`${service.url}/app/`);
    await ada.getByLabel('Search tags').fill('even');
    await ada.getByText('Yours').waitFor();
    found.push(...(await inspect(ada, 'home')));
    for (const [path, ready] of [
      ['settings', 'About you'],
      ['settings/sessions', 'Where you are signed in'],
      ['settings/password', 'Change your password'],
      ['settings/handles', ''],
      ['settings/delete', 'Delete your account'],
      ['verify-mobile', ''],
      ['j/abc-defg-hij', 'This link leads nowhere'],
    ] as const) {
      await ada.goto(`${service.url}/app/${path}`);
      await (ready ? ada.getByRole('heading', { name: ready }) : ada.getByRole('heading').first()).waitFor();
      found.push(...(await inspect(ada, path.replaceAll('/', '-'))));
    }
    expect(found).toEqual([]);
  });

  it('has nothing against a ring and a call', async () => {
    const found: string[] = [];
    await callTag(ben, 'evenings');
    await ada.getByRole('button', { name: 'Accept' }).waitFor();
    found.push(...(await inspect(ada, 'ring')));
    await ada.getByRole('button', { name: 'Accept' }).click();
    for (const page of [ada, ben]) {
      await page.getByRole('button', { name: 'Start camera' }).click();
      await page.getByRole('button', { name: 'Stop camera' }).waitFor();
    }
    await ben.getByLabel('Message').fill('Good evening! Can you see me?');
    await ben.getByRole('button', { name: 'Send' }).click();
    await ada.getByLabel('Message').fill('Yes, and hear you well.');
    await ada.getByRole('button', { name: 'Send' }).click();
    await ben.getByText('Yes, and hear you well.').waitFor();
    await ada.locator('video').nth(1).waitFor();
    // What has been written is being written no more.
    expect(await ben.getByText('ada is writing').count()).toBe(0);
    found.push(...(await inspect(ben, 'call')));
    await ben.getByRole('tab', { name: /People/ }).click();
    found.push(...(await inspect(ben, 'call-people')));
    await ben.getByRole('button', { name: 'Devices' }).click();
    await ben.getByRole('menu').waitFor();
    found.push(...(await inspect(ben, 'call-devices')));
    expect(found).toEqual([]);
  });
});
