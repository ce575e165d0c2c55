/** What the list of chats says of what waits in the composer of a chat besides a text. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { type Service } from '../../../running/running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser, visit } from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'drafts without a text', () => {
  let service: Service;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    const opened = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' });
    ({ service, ben } = opened);
    ben.setDefaultTimeout(10_000);
    const thread_id = await openThread(service, opened.ada, ben);
    await visit(ben, `${service.url}/app/messages`);
    await chatLink(ben, /^ada/).click();
    await ben.waitForURL(new RegExp(thread_id));
    await messageOf(ben, 'The pier at nine?').waitFor();
  }, 60_000);

  it('says in the list that files or a reply wait in the composer', async () => {
    const back = ben.getByRole('link', { name: 'Back to your chats' });
    const attach = (name: string, mimeType: string) =>
      ben
        .locator('.write input[type="file"]')
        .first()
        .setInputFiles({ name, mimeType, buffer: Buffer.from('Nine songs') });
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
});
