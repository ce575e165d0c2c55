/** Read receipts that one of two people switches off: both still see what was delivered, and neither what was read. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import {
  areaLink,
  missing_browser,
  openTwoPeople,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../../browser/windows.ts';
import { requestAs } from '../../../running/running-people.ts';
import type { Service } from '../../../running/running-service.ts';

describeUnlessMissing(missing_browser, 'read receipts that are switched off', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    const { id: user_id } = await requestAs(service, await sessionOf(ben), 'GET /me');
    thread_id = (await asPage(ada, 'POST /dm/threads', { user_id })).id;
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Hello' });
    await asPage(ben, `POST /dm/threads/${thread_id}/accept`, {});
  });

  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  const openChat = (page: Page) => visit(page, `${service.url}/app/messages/${thread_id}`);
  const messageOf = (page: Page, text: string | RegExp) =>
    page.getByRole('log').getByRole('listitem').filter({ hasText: text });
  const write = async (page: Page, text: string) => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const receipts = (page: Page) => page.getByRole('switch', { name: 'Read receipts' });
  /** By clicks, from wherever the page is. */
  async function switchReceipts(page: Page, to: boolean): Promise<void> {
    await visit(page, `${service.url}/app/`);
    await areaLink(page, /^You$/).click();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await expect.poll(() => receipts(page).isChecked()).toBe(!to);
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await receipts(page).click();
    expect((await saved).ok()).toBe(true);
  }
  /** One writes, the other one's device receives it, and then its owner reads it. */
  async function exchange(writer: Page, reader: Page, text: string): Promise<void> {
    await openChat(writer);
    await visit(reader, `${service.url}/app/`);
    await write(writer, text);
    await messageOf(writer, new RegExp(`${text}.*Delivered`, 's')).waitFor();
    const read = reader.waitForResponse((answer) => answer.url().endsWith('/read'));
    await openChat(reader);
    await messageOf(reader, text).waitFor();
    await read;
  }
  /** What a message says of its delivery, once a reply has arrived, which would have come after a receipt. */
  async function deliveryAfter(writer: Page, reader: Page, text: string, reply: string): Promise<string> {
    await write(reader, reply);
    await messageOf(writer, reply).waitFor();
    return messageOf(writer, text).innerText();
  }

  /** Sets by the API who has receipts on. */
  async function setReceipts(on: { ada: boolean; ben: boolean }): Promise<void> {
    await asPage(ada, 'PATCH /me', { read_receipts: on.ada });
    await asPage(ben, 'PATCH /me', { read_receipts: on.ben });
  }

  it('hide what their owner has read from the other person, and not what was delivered', async () => {
    await setReceipts({ ada: true, ben: true });
    await switchReceipts(ben, false);
    await exchange(ada, ben, 'The lamps are ready');
    expect(await deliveryAfter(ada, ben, 'The lamps are ready', 'Good')).toMatch(/\nDelivered\n(?!.*\bRead\b)/s);
    // Also when the chat is loaded again.
    await ada.reload();
    await messageOf(ada, /The lamps are ready.*Delivered/s).waitFor();
    expect(await messageOf(ada, /\bRead\b/).count()).toBe(0);
    expect(await inspectPage(ada, 'thread-no-receipts', 'each')).toEqual([]);
  });

  it('hide from their owner what the other person has read', async () => {
    await setReceipts({ ada: true, ben: false });
    await exchange(ben, ada, 'I bring the trumpet');
    expect(await deliveryAfter(ben, ada, 'I bring the trumpet', 'Please do')).toMatch(/\nDelivered\n(?!.*\bRead\b)/s);
    expect(await messageOf(ben, /\bRead\b/).count()).toBe(0);
  });

  it('are seen by both again once they are switched on', async () => {
    await setReceipts({ ada: true, ben: false });
    await switchReceipts(ben, true);
    await exchange(ada, ben, 'At nine');
    await messageOf(ada, /At nine.*Read/s).waitFor();
    await switchReceipts(ada, false);
    await exchange(ben, ada, 'I am late');
    expect(await deliveryAfter(ben, ada, 'I am late', 'So am I')).toMatch(/\nDelivered\n(?!.*\bRead\b)/s);
    await switchReceipts(ada, true);
    await ben.reload();
    await messageOf(ben, /I am late.*Read/s).waitFor();
  });

  it('are hidden at once on the other devices of somebody who switches them off, and shown again', async () => {
    await setReceipts({ ada: true, ben: true });
    await exchange(ada, ben, 'Bring the keys');
    await messageOf(ada, /Bring the keys.*Read/s).waitFor();
    await asPage(ada, 'PATCH /me', { read_receipts: false });
    await messageOf(ada, /Bring the keys.*Delivered/s).waitFor();
    expect(await messageOf(ada, /\bRead\b/).count()).toBe(0);
    await asPage(ada, 'PATCH /me', { read_receipts: true });
    await messageOf(ada, /Bring the keys.*Read/s).waitFor();
    await areaLink(ada, /^You$/).click();
    await ada.getByRole('link', { name: 'Profile', exact: true }).click();
    await expect.poll(() => receipts(ada).isChecked()).toBe(true);
    await asPage(ada, 'PATCH /me', { read_receipts: false });
    await expect.poll(() => receipts(ada).isChecked()).toBe(false);
    await asPage(ada, 'PATCH /me', { read_receipts: true });
  });
});
