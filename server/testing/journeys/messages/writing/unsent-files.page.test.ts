/** Files are part of a message as soon as it is sent, also on a slow connection, or without one. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { type Service } from '../../../running/running-service.ts';
import { missing_browser, openTwoPeople, useBrowserWindows, sessionOf } from '../../../browser/windows.ts';

type Sent = { body: string; media: { kind: string }[]; reply_to: string | null };

describeUnlessMissing(missing_browser, 'files of unsent messages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let picture: { name: string; mimeType: string; buffer: Buffer };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'phone', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
    const background = { r: 27, g: 31, b: 70 };
    const buffer = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
      .jpeg()
      .toBuffer();
    picture = { name: 'evening.jpg', mimeType: 'image/jpeg', buffer };
  });

  /** The messages that the service has, the newest first. */
  const listSent = async (): Promise<Sent[]> =>
    (await service.call(`GET /dm/threads/${thread_id}/chat`, await sessionOf(ben))).body.items;
  const listSentWith = async (text: string) => (await listSent()).filter(({ body }) => body === text);
  const input = () => ada.getByRole('textbox', { name: 'Message' });
  const row = (text: string) => ada.locator('.talk-row').filter({ hasText: text }).first();
  const choose = () => ada.locator('.write input[type=file]').setInputFiles(picture);
  const send = () => ada.getByRole('button', { name: 'Send', exact: true }).click();
  /** Loads the page of the chat, also where it is open. */
  async function openChat(): Promise<void> {
    await ada.goto(`${service.url}/app/messages/${thread_id}`);
    await row('The pier at nine?').waitFor();
    await input().waitFor();
  }
  const attached = (name: string) => ada.locator('.upload').filter({ hasText: name });
  const expectName = (name: string) => expect.stringContaining(name);
  /** How many files are stored until they are sent. */
  const countStored = () =>
    ada.evaluate(`caches.open('asterism-unsent').then(async (cache) => (await cache.keys()).length)`);
  async function leave(): Promise<void> {
    await ada.locator('a[href="/app/messages"]').filter({ visible: true }).first().click();
    await ada.getByRole('heading', { name: 'Chats', level: 1 }).waitFor();
  }
  /** Holds uploads until the returned function is called, as a slow connection does. */
  async function holdUploads(): Promise<() => void> {
    const gate = Promise.withResolvers<void>();
    await ada.route('**/v1/files', async (route) => {
      await gate.promise;
      await route.continue();
    });
    return gate.resolve;
  }

  it('shows and sends a picture that is still being uploaded, also after its chat is left', async () => {
    await openChat();
    const release = await holdUploads();
    await choose();
    await ada.locator('.upload img').waitFor();
    await input().fill('From the pier');
    await send();
    await row('From the pier').getByRole('img').waitFor();
    expect(await ada.locator('.upload').count()).toBe(0);
    expect(await input().inputValue()).toBe('');
    await expect
      .poll(() => ada.evaluate(`[...document.querySelectorAll('.talk-row img')].at(-1).naturalWidth`))
      .toBe(320);
    await leave();
    release();
    await expect.poll(() => listSentWith('From the pier')).toMatchObject([{ media: [{ kind: 'image' }] }]);
    await openChat();
    await row('From the pier').getByRole('img').waitFor();
    expect(await ada.locator('.talk-row').filter({ hasText: 'From the pier' }).count()).toBe(1);
    await ada.unroute('**/v1/files');
  });

  it('sends a picture that was chosen without a connection, after the page is reloaded, once', async () => {
    await openChat();
    await ada.route('**/v1/**', (route) => route.abort());
    await choose();
    await ada.locator('.upload').getByRole('alert').waitFor();
    await input().fill('From the tunnel');
    await send();
    await row('From the tunnel').getByRole('img').waitFor();
    await ada.unroute('**/v1/**');
    await openChat();
    await expect.poll(() => listSentWith('From the tunnel')).toMatchObject([{ media: [{ kind: 'image' }] }]);
    await expect.poll(countStored).toBe(0);
  });

  it('keeps attached files, their order and their text when the chat is left, and after a reload, until they are sent', async () => {
    await openChat();
    const release = await holdUploads();
    for (const name of ['first.jpg', 'second.jpg']) {
      await ada.locator('.write input[type=file]').setInputFiles({ ...picture, name });
      await attached(name).waitFor();
    }
    await input().fill('Two of the lamps');
    await leave();
    await ada.getByRole('link', { name: /^ben/ }).click();
    await attached('second.jpg').waitFor();
    await expect.poll(countStored).toBe(2);
    // The address of a picture of an earlier page is no longer valid.
    await openChat();
    await attached('first.jpg').locator('img').waitFor();
    expect(await ada.locator('.upload').allInnerTexts()).toEqual(['first.jpg', 'second.jpg'].map(expectName));
    expect(await input().inputValue()).toBe('Two of the lamps');
    release();
    await ada.getByRole('button', { name: 'Remove first.jpg' }).click();
    await expect.poll(() => ada.locator('.upload progress').count()).toBe(0);
    await expect.poll(countStored).toBe(1);
    await openChat();
    await attached('second.jpg').locator('img').waitFor();
    await send();
    await expect
      .poll(async () => (await listSent())[0])
      .toMatchObject({ body: 'Two of the lamps', media: [{ kind: 'image' }] });
    expect(await ada.locator('.upload').count()).toBe(0);
    await expect.poll(countStored).toBe(0);
    await openChat();
    expect(await ada.locator('.upload').count()).toBe(0);
    await ada.unroute('**/v1/files');
  });

  it('keeps the text and the files of a post when the page is left', async () => {
    await ada.goto(`${service.url}/app/`);
    await ada.getByRole('button', { name: 'Say something' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Say something' });
    await sheet.getByRole('textbox', { name: 'What is new?' }).fill('The pier at dusk');
    await sheet.locator('input[type=file]').setInputFiles(picture);
    await attached('evening.jpg').waitFor();
    await expect.poll(countStored).toBe(1);
    await ada.reload();
    await ada.getByRole('button', { name: 'The pier at dusk' }).click();
    await attached('evening.jpg').locator('img').waitFor();
    await expect.poll(() => ada.locator('.upload progress').count()).toBe(0);
    await sheet.getByRole('button', { name: 'Post', exact: true }).click();
    await ada.getByRole('article').filter({ hasText: 'The pier at dusk' }).getByRole('img').first().waitFor();
    await expect.poll(countStored).toBe(0);
    await ada.reload();
    await ada.getByRole('button', { name: 'Say something' }).waitFor();
  });

  it('shows a voice message among the messages at once, and is ready for the next one', async () => {
    await openChat();
    const release = await holdUploads();
    await ada.getByRole('button', { name: 'Record a voice message' }).click();
    await ada.getByRole('timer').filter({ hasText: '0:01' }).waitFor();
    await ada.getByRole('button', { name: 'Send voice message' }).click();
    await ada
      .locator('.talk-row[data-index]')
      .last()
      .getByRole('group', { name: /^Audio/ })
      .getByText(/^0:00 \/ 0:0[1-9]$/)
      .waitFor();
    expect(await ada.locator('.upload').count()).toBe(0);
    await ada.getByRole('button', { name: 'Record a voice message' }).waitFor();
    release();
    await expect.poll(async () => (await listSent())[0]).toMatchObject({ body: '', media: [{ kind: 'audio' }] });
    await ada.unroute('**/v1/files');
  });

  it('shows what an unsent message replies to', async () => {
    await openChat();
    const gate = Promise.withResolvers<void>();
    await ada.route('**/v1/dm/threads/*/chat', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await row('The pier at nine?')
      .getByRole('button', { name: /^More about/ })
      .press('Enter');
    await ada.getByRole('menuitem', { name: 'Reply' }).click();
    await input().fill('At nine');
    await send();
    const unsent = ada.locator('.talk-row').filter({ hasText: 'At nine' }).last();
    await unsent.locator('.quote').filter({ hasText: 'The pier at nine?' }).waitFor();
    gate.resolve();
    await expect.poll(async () => (await listSent())[0]?.reply_to).toMatch(/^dm/);
    await ada.unroute('**/v1/dm/threads/*/chat');
  });
});
