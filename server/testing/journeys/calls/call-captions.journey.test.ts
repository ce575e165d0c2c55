/**
 * Captions of a call: a microphone of a browser, the speech recogniser of the test, and the captions that others read.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import type { Service } from '../../running/running-service.ts';
import { callTag, useBrowserWindows, createTag, openTwoPeople, missing_browser, sizes } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'captions in two browsers', () => {
  let service: Service;
  let recogniser: Server;
  let ada: Page;
  let ben: Page;
  const recognised: { bytes: number; type: string | undefined }[] = [];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    recogniser = createServer(async (request, response) => {
      const form = (await buffer(request)).toString('latin1');
      recognised.push({ bytes: form.length, type: /content-type: (audio\/[a-z0-9]+)/i.exec(form)?.[1] });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: 'Do you hear me well?' }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => recogniser.once('listening', resolve));
    const SPEECH_URL = `http://127.0.0.1:${(recogniser.address() as AddressInfo).port}/v1`;
    ({ service, ada, ben } = await openTwoPeople(
      windows,
      { ada: 'phone', ben: 'desk' },
      { environment: { SPEECH_URL } },
    ));
    await createTag(ada, 'evenings');
    await callTag(ben, 'evenings');
    await ada.getByRole('button', { name: 'Accept', exact: true }).click();
    for (const page of [ada, ben]) await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  });
  afterAll(async () => {
    recogniser.close();
  });

  const menu = async (page: Page, item: RegExp) => {
    await page.getByRole('button', { name: 'More about this call' }).click();
    await page.getByRole('menuitemcheckbox', { name: item }).click();
  };
  const captions = (page: Page) => page.getByRole('region', { name: 'Captions' });

  it('are off until a participant enables captions for their own speech, and then shown to all', async () => {
    expect(recognised).toEqual([]);
    await menu(ben, /^Caption my speech/);
    for (const page of [ada, ben]) await captions(page).getByText('Do you hear me well?').first().waitFor();
    expect(await captions(ada).innerText()).toMatch(/^ben Do you hear me well\?/);
    // A live region would speak over the participants.
    expect(await captions(ada).getAttribute('aria-live')).toBe('off');
    expect(recognised[0]).toMatchObject({ type: 'audio/webm' });
    expect(recognised[0]?.bytes).toBeGreaterThan(1000);
    expect(await inspectPage(ada, 'call-captions', 'each')).toEqual([]);
  });

  /** The tiles, or parts of them, that the captions overlap. */
  const find_covered = `(() => {
    const above = document.querySelector('.captions').getBoundingClientRect();
    return [...document.querySelectorAll('.tile, .tile-foot')].filter((part) => {
      const box = part.getBoundingClientRect();
      return box.bottom > above.top + 1 && box.top < above.bottom - 1;
    }).length;
  })()`;

  it('cover no tile, name a speaker once, and keep their place while nobody speaks', async () => {
    await captions(ada)
      .getByText(/Do you hear me well\? Do you hear me well\?/)
      .waitFor();
    for (const size of ['phone', 'desk'] as const) {
      await ada.setViewportSize(sizes[size]);
      expect(await captions(ada).locator('b').allInnerTexts()).toEqual(['ben']);
      await expect.poll(() => ada.evaluate(find_covered), { message: size }).toBe(0);
    }
    await ada.setViewportSize(sizes.phone);
    const height = async () => (await ada.locator('.tiles').boundingBox())?.height;
    const spoken = await height();
    await ben.getByRole('button', { name: 'Mute', exact: true }).click();
    await captions(ada).waitFor({ state: 'detached' });
    expect(await height()).toBe(spoken);
    await ben.getByRole('button', { name: 'Unmute', exact: true }).click();
    await captions(ada).waitFor();
  });

  it('are shown to guests, who may hide them, and whose own speech has no captions', async () => {
    const gina = await windows.open('phone');
    await ben.getByRole('button', { name: /^Who can join/ }).click();
    await ben.getByRole('menuitemradio', { name: /^Ask me/ }).click();
    await gina.goto(`${service.url}/j/${ben.url().split('/').at(-1)}`);
    await gina.getByLabel('Your name').fill('Gina');
    await gina.getByRole('button', { name: 'Ask to join' }).click();
    await ben.getByRole('button', { name: 'Admit Gina' }).click();
    await captions(gina).getByText('Do you hear me well?').first().waitFor();
    expect(await captions(gina).innerText()).toMatch(/^ben /);
    expect(await inspectPage(gina, 'guest-captions', 'each')).toEqual([]);
    await gina.getByRole('button', { name: 'More about this call' }).click();
    expect(await gina.getByRole('menuitemcheckbox').allInnerTexts()).toEqual(['Show captions']);
    await gina.getByRole('menuitemcheckbox', { name: 'Show captions' }).click();
    await captions(gina).waitFor({ state: 'detached' });
    await gina.close();
  });

  it('can be hidden by each participant, and end with a muted microphone', async () => {
    await menu(ada, /^Show captions/);
    await captions(ada).waitFor({ state: 'detached' });
    await captions(ben).waitFor();
    await ben.getByRole('button', { name: 'Mute', exact: true }).click();
    await captions(ben).waitFor({ state: 'detached' });
    const before = recognised.length;
    await ben.getByRole('button', { name: 'Unmute', exact: true }).click();
    await captions(ben).waitFor();
    expect(recognised.length).toBeGreaterThan(before);
    await menu(ben, /^Caption my speech/);
    await captions(ben).waitFor({ state: 'detached' });
  });
});
