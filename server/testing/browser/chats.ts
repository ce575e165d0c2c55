/** Chats of people in browsers. */
import type { Locator, Page } from 'playwright-core';
import { requestAs } from '../running/running-people.ts';
import type { Service } from '../running/running-service.ts';
import { sessionOf, visit } from './windows.ts';

/** Opens a thread between the people of two pages, which its recipient accepts. @returns its identifier */
export async function openThread(service: Service, from: Page, to: Page, body = 'The pier at nine?'): Promise<string> {
  const [sender, recipient] = [await sessionOf(from), await sessionOf(to)];
  const { id: user_id } = (await service.call('GET /me', recipient)).body;
  const { id } = await requestAs(service, sender, 'POST /dm/threads', { user_id });
  await requestAs(service, sender, `POST /dm/threads/${id}/chat`, { body });
  await requestAs(service, recipient, `POST /dm/threads/${id}/accept`, {});
  return id;
}

/** The messages of the open chat that contain a text. */
export const messageOf = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('log').getByRole('listitem').filter({ hasText: text });

/** The link of a chat in the list of chats. */
export const chatLink = (page: Page, name: RegExp): Locator =>
  page.getByRole('region', { name: 'Chats' }).getByRole('link', { name });

/** Writes a message in the open chat, and presses Send. */
export async function writeMessage(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Opens a thread in the windows of its two people, without what was written in it before, and with a new message. */
export async function openEmptiedThread(
  service: Service,
  from: Page,
  to: Page,
  thread_id: string,
  body = 'The pier at nine?',
): Promise<void> {
  for (const page of [from, to]) {
    await visit(page, `${service.url}/app/messages/${thread_id}`);
    await requestAs(service, await sessionOf(page), `POST /dm/threads/${thread_id}/clear`, {});
    await page.getByText('You have cleared this chat.').waitFor();
  }
  await requestAs(service, await sessionOf(from), `POST /dm/threads/${thread_id}/chat`, { body });
  for (const page of [from, to]) await messageOf(page, body).waitFor();
}
