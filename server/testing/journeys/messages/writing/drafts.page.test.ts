/** What waits in composers: what the list of chats says of it, and that the end of a session keeps it. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { endSession, signInAgain } from '../../../browser/ended-session.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser, sessionOf, visit } from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'drafts', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    const opened = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' });
    ({ service, ada, ben } = opened);
    thread_id = await openThread(service, ada, ben);
  });

  /** Opens the chat from the list. */
  async function openChat(): Promise<void> {
    await visit(ben, `${service.url}/app/messages`);
    await chatLink(ben, /^ada/).click();
    await ben.waitForURL(new RegExp(thread_id));
    await messageOf(ben, 'The pier at nine?').waitFor();
  }

  it('says in the list that files or a reply wait in the composer', async () => {
    const back = ben.getByRole('link', { name: 'Back to your chats' });
    const attach = (name: string, mimeType: string) =>
      ben
        .locator('.write input[type="file"]')
        .first()
        .setInputFiles({ name, mimeType, buffer: Buffer.from('Nine songs') });
    await openChat();
    await attach('songs.txt', 'text/plain');
    await ben.getByRole('button', { name: 'Remove songs.txt' }).waitFor();
    await back.click();
    await chatLink(ben, /^ada .*Draft: ?songs\.txt/).waitFor();
    expect(await inspectPage(ben, 'chats-draft-file')).toEqual([]);
    await chatLink(ben, /^ada/).click();
    await attach('dates.txt', 'text/plain');
    await ben.getByRole('button', { name: 'Remove dates.txt' }).waitFor();
    await back.click();
    await chatLink(ben, /^ada .*Draft: ?2 files/).waitFor();
    await chatLink(ben, /^ada/).click();
    for (const name of ['songs.txt', 'dates.txt']) await ben.getByRole('button', { name: `Remove ${name}` }).click();
    await messageOf(ben, 'The pier at nine?').hover();
    await ben.getByRole('button', { name: 'More about “The pier at nine?”' }).click();
    await ben.getByRole('menuitem', { name: 'Reply' }).click();
    await ben.getByRole('button', { name: 'Cancel reply' }).waitFor();
    await back.click();
    await chatLink(ben, /^ada .*Draft: ?The pier at nine/).waitFor();
    await chatLink(ben, /^ada/).click();
    await ben.getByRole('button', { name: 'Cancel reply' }).click();
    await back.click();
    await chatLink(ben, /^ada/).waitFor();
    await expect.poll(() => chatLink(ben, /Draft/).count()).toBe(0);
  });

  it('says in a sentence why a file is refused, and shows no broken picture', async () => {
    await openChat();
    const files = [
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      { name: 'moth.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ];
    await ben.locator('.write input[type="file"]').first().setInputFiles(files);
    const itemOf = (name: string) => ben.locator('.upload').filter({ hasText: name });
    await itemOf('empty.txt').getByText('This file is empty.').waitFor();
    await expect.poll(() => itemOf('moth.png').locator('svg').count()).toBe(2);
    expect(await itemOf('moth.png').locator('img').count()).toBe(0);
    for (const { name } of files) await ben.getByRole('button', { name: `Remove ${name}` }).click();
  });

  it('keeps what is being written in a chat and below a post when the session ends, and shows it after signing in', async () => {
    const { id: post_id } = await requestAs(service, await sessionOf(ada), 'POST /statuses', { body: 'Nine songs.' });
    const field = { chat: ben.getByLabel('Message', { exact: true }), post: ben.getByLabel('Reply to ada') };
    for (const [path, at] of [
      [`messages/${thread_id}`, field.chat],
      [`status/${post_id}`, field.post],
    ] as const) {
      await visit(ben, `${service.url}/app/${path}`);
      await at.fill('Half a thought');
      await endSession(service, ben);
      await signInAgain(service, ben, 'ben');
      await ben.waitForURL(`${service.url}/app/${path}`);
      await expect.poll(() => at.inputValue()).toBe('Half a thought');
    }
    // What is sent is no longer kept.
    await ben.getByRole('button', { name: 'Send reply' }).click();
    await ben.getByRole('listitem').filter({ hasText: 'Half a thought' }).waitFor();
    expect(await field.post.inputValue()).toBe('');
    await ben.reload();
    await ben.getByRole('listitem').filter({ hasText: 'Half a thought' }).waitFor();
    expect(await field.post.inputValue()).toBe('');
    await visit(ben, `${service.url}/app/messages/${thread_id}`);
    await field.chat.fill('');
  });
});
