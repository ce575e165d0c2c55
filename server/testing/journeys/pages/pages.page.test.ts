/** Every page of the web client by axe's rules (WCAG 2.2 A and AA), in both themes and at both sizes. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../../browser/page-checks.ts';
import { type Service } from '../../running/running-service.ts';
import {
  callTag,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  waitForHome,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'the pages in a browser', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'desk' }));
    await createTag(ada, 'evenings');
  });

  it('shows the pages of signed-out visitors without accessibility problems', async () => {
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
      ['nowhere', 'Page not found'],
    ] as const) {
      await visit(page, `${service.url}/app/${path}`);
      await (ready ? page.getByRole('heading', { name: ready }) : page.getByRole('heading').first()).waitFor();
      found.push(...(await inspectPage(page, path.replace(/\W.*/, path.includes('code') ? '-code' : ''))));
    }
    expect(found).toEqual([]);
  });

  it('shows the pages of a signed-in person without accessibility problems', async () => {
    const found: string[] = [];
    await visit(ada, `${service.url}/app/`);
    await waitForHome(ada);
    found.push(...(await inspectPage(ada, 'home')));
    for (const [path, ready] of [
      ['settings', 'About you'],
      ['settings/sessions', 'Sessions'],
      ['settings/password', 'Password'],
      ['settings/handles', ''],
      ['settings/plan', 'Plan'],
      ['settings/delete', 'Delete account'],
      ['contacts/import', 'Import contacts'],
      ['groups', 'No groups yet'],
      ['groups/grp_00000000000000000000000000', 'Group not found'],
      ['verify-mobile', ''],
      ['messages', 'Chats'],
      ['messages/requests', 'Requests'],
      ['messages/thr_00000000000000000000000000', 'This chat is closed'],
      ['j/abc-defg-hij', 'Call not found'],
    ] as const) {
      await visit(ada, `${service.url}/app/${path}`);
      await (ready ? ada.getByRole('heading', { name: ready }) : ada.getByRole('heading')).first().waitFor();
      found.push(...(await inspectPage(ada, path.replaceAll('/', '-'))));
    }
    expect(found).toEqual([]);
  });

  it('shows a ring and a call without accessibility problems', async () => {
    const found: string[] = [];
    await callTag(ben, 'evenings');
    await ada.getByRole('button', { name: 'Accept' }).waitFor();
    found.push(...(await inspectPage(ada, 'ring')));
    await ada.getByRole('button', { name: 'Accept' }).click();
    for (const page of [ada, ben]) {
      await page.getByRole('button', { name: 'Start camera' }).click();
      await page.getByRole('button', { name: 'Stop camera' }).waitFor();
    }
    await ben.getByLabel('Message').fill('Good evening! Can you see me?');
    await ben.getByRole('button', { name: 'Send' }).click();
    await ada.getByLabel('Message').fill('Yes, and hear you well.');
    await ada.getByRole('button', { name: 'Send' }).click();
    await ben.getByText('Yes, and hear you well.', { exact: true }).waitFor();
    await ada.locator('video').nth(1).waitFor();
    // A sent text is not being typed any more.
    expect(await ben.getByText('ada is typing').count()).toBe(0);
    found.push(...(await inspectPage(ben, 'call')));
    await ben.getByRole('tab', { name: /People/ }).click();
    found.push(...(await inspectPage(ben, 'call-people')));
    await ben.getByRole('button', { name: 'Devices' }).click();
    await ben.getByRole('menu').waitFor();
    found.push(...(await inspectPage(ben, 'call-devices')));
    expect(found).toEqual([]);
  });
});
