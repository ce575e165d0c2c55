/** What other apps share with the installed client, and the badge on its icon. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import {
  missing_browser,
  openTwoPeople,
  sessionOf,
  signUp,
  useBrowserWindows,
  visit,
} from '../../../browser/windows.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';

/** A file with its content, or with a size and no content. */
type SharedFile = { name: string; type: string; base64?: string; size?: number };
type Share = { title?: string; text?: string; url?: string; files?: SharedFile[] };

/** Sends a share as the system does, which posts this form to the address in the manifest. */
const shareScript = ({ files = [], ...texts }: Share) => `{
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: '/app/share' });
  const add = (type, name) => form.appendChild(Object.assign(document.createElement('input'), { type, name }));
  for (const [name, value] of Object.entries(${JSON.stringify(texts)})) add('hidden', name).value = value;
  const given = new DataTransfer();
  for (const { name, type, base64 = '', size } of ${JSON.stringify(files)}) {
    const bytes = size === undefined ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : new Uint8Array(size);
    given.items.add(new File([bytes], name, { type }));
  }
  add('file', 'files').multiple = true;
  form.lastChild.files = given.files;
  document.body.append(form);
  form.submit();
}`;

/** Stores what the page shows on its icon where the test reads it. */
const watch_badge = `
  window.badges = [];
  Object.assign(Navigator.prototype, {
    setAppBadge: async (count) => void window.badges.push(count),
    clearAppBadge: async () => void window.badges.push(0),
  });
`;

describeUnlessMissing(missing_browser, 'the installed client', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let picture: SharedFile;
  const windows = useBrowserWindows({ has_workers: true });
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'phone', ben: 'desk' }));
    thread_id = await openThread(service, ada, ben);
    const background = { r: 27, g: 31, b: 70 };
    const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
      .jpeg()
      .toBuffer();
    picture = { name: 'evening.jpg', type: 'image/jpeg', base64: bytes.toString('base64') };
    await install(ada);
  });

  /** Opens a page which has its service worker, as in the installed client. */
  async function install(page: Page): Promise<void> {
    await page.context().addInitScript(watch_badge);
    await page.goto(`${service.url}/app/messages`);
    await page.evaluate('navigator.serviceWorker.ready');
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
  }
  const post = async (page: Page, body: string, to = thread_id) =>
    requestAs(service, await sessionOf(page), `POST /dm/threads/${to}/chat`, { body });
  const badge = (page: Page) => page.evaluate('window.badges.at(-1)');
  const listSent = async (): Promise<{ body: string; media: { kind: string }[] }[]> =>
    (await service.call(`GET /dm/threads/${thread_id}/chat`, await sessionOf(ben))).body.items;
  async function share(content: Share, page = ada): Promise<void> {
    await Promise.all([page.waitForURL('**/app/share'), page.evaluate(shareScript(content))]);
    await page.getByRole('heading', { name: 'Share to', level: 1 }).waitFor();
  }
  const chat = (name: string) => ada.getByRole('list', { name: 'Chats' }).getByRole('button', { name });
  const draft = () => ada.getByRole('textbox', { name: 'Message' });

  it('puts what is shared into the draft of the chosen chat, from which it is sent', async () => {
    await share({ title: 'Sunset', text: 'Look at this', url: 'https://example.org/sunset', files: [picture] });
    await ada.getByText('Sunset\nLook at this\nhttps://example.org/sunset').waitFor();
    await ada.getByRole('listitem').filter({ hasText: 'evening.jpg' }).waitFor();
    expect(await inspectPage(ada, 'share')).toEqual([]);
    await chat('ben').click();
    await expect.poll(() => draft().inputValue()).toBe('Sunset\nLook at this\nhttps://example.org/sunset');
    await ada.locator('.upload').filter({ hasText: 'evening.jpg' }).waitFor();
    await ada.getByRole('button', { name: 'Send', exact: true }).click();
    await expect
      .poll(async () => (await listSent())[0])
      .toMatchObject({
        body: expect.stringContaining('Look at this'),
        media: [{ kind: 'image' }],
      });
    // It has gone: neither going back nor the page itself offers it again.
    await visit(ada, `${service.url}/app/share`);
    await ada.getByRole('heading', { name: 'Nothing to share' }).waitFor();
    expect(await inspectPage(ada, 'share-nothing')).toEqual([]);
  });

  it('adds a shared text to the draft that a chat has', async () => {
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await draft().fill('Before the rain:');
    await share({ text: 'https://example.org/rain' });
    await chat('ben').click();
    await expect.poll(() => draft().inputValue()).toBe('Before the rain:\nhttps://example.org/rain');
    await draft().fill('');
  });

  it('opens the composer of a post with it', async () => {
    await share({ text: 'Moon over the pier', files: [picture] });
    await chat('New post').click();
    await expect.poll(() => ada.getByLabel('What is new?').inputValue()).toBe('Moon over the pier');
    await ada.getByRole('dialog').locator('.upload').filter({ hasText: 'evening.jpg' }).waitFor();
  });

  it('attaches no file that is too large', async () => {
    const large = { name: 'film.mp4', type: 'video/mp4', size: 26 * 1024 * 1024 };
    await ada.goto(`${service.url}/app/messages`);
    await share({ text: 'The whole evening', files: [large] });
    await ada.getByText('It is larger than 25 MB.').waitFor();
    await chat('ben').click();
    await expect.poll(() => draft().inputValue()).toBe('The whole evening');
    expect(await ada.locator('.upload').count()).toBe(0);
    await draft().fill('');
  });

  it('shows on its icon how much is new', async () => {
    await ada.goto(`${service.url}/app/`);
    await expect.poll(() => badge(ada)).toBe(0);
    await post(ben, 'The tide is out.');
    await expect.poll(() => badge(ada)).toBe(1);
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await expect.poll(() => badge(ada)).toBe(0);
  });

  it('leaves neither a badge nor what was shared when the reader signs out', async () => {
    // Somebody else, whose session can end.
    const cleo = await windows.open('phone');
    await signUp(service, cleo, 'cleo', '+14155550103');
    const cleos_thread_id = await openThread(service, cleo, ben);
    await install(cleo);
    await visit(cleo, `${service.url}/app/people`);
    await post(ben, 'Tomorrow again?', cleos_thread_id);
    await expect.poll(() => badge(cleo)).toBe(1);
    await share({ text: 'For later' }, cleo);
    await visit(cleo, `${service.url}/app/settings/sessions`);
    await cleo.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await cleo.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await expect.poll(() => badge(cleo)).toBe(0);
    await expect.poll(() => cleo.evaluate(`caches.has('asterism-shared')`)).toBe(false);
  });
});
