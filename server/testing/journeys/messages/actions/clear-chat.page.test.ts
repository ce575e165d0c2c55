/** Clearing a chat, and deleting one: for oneself, on every device, after a question. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, openThread, writeMessage } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  missing_browser,
  openTouchPhone,
  openTwoPeople,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'a chat that is cleared or deleted', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
  });

  const thread = () => `${service.url}/app/messages/${thread_id}`;
  const question = (page: Page, name: string) => page.getByRole('alertdialog', { name });
  const choose = async (page: Page, item: string) => {
    await page
      .getByRole('banner')
      .or(page.locator('.thread-bar'))
      .getByRole('button', { name: 'More about ben' })
      .click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  it('is cleared in its menu after a question, and is empty for its reader alone, also on their other device', async () => {
    const other = await openTouchPhone(windows, service, ada);
    await visit(ada, thread());
    await writeMessage(ada, 'Bring the tickets');
    for (const page of [other, ben]) {
      await page.goto(thread());
      await messageOf(page, 'Bring the tickets').waitFor();
    }
    await choose(ada, 'Clear chat');
    await question(ada, 'Clear this chat?').getByText('ben keeps them.').waitFor();
    expect(await inspectPage(ada, 'clear-chat-question')).toEqual([]);
    await ada.keyboard.press('Escape');
    await question(ada, 'Clear this chat?').waitFor({ state: 'detached' });
    expect(await ada.evaluate('document.activeElement.textContent')).toBe('More about ben');
    await messageOf(ada, 'Bring the tickets').waitFor();

    await choose(ada, 'Clear chat');
    await question(ada, 'Clear this chat?').getByRole('button', { name: 'Clear chat' }).click();
    await ada.getByText('Chat cleared.').waitFor();
    for (const page of [ada, other]) {
      await messageOf(page, 'Bring the tickets').waitFor({ state: 'detached' });
      await page.getByText('You have cleared this chat.').waitFor();
    }
    await chatLink(ada, /^ben/).getByText('No messages').waitFor();
    expect(await inspectPage(ada, 'cleared-chat')).toEqual([]);
    expect(await messageOf(ben, 'Bring the tickets').count()).toBe(1);
    await writeMessage(ben, 'Which tickets?');
    for (const page of [ada, other]) await messageOf(page, 'Which tickets?').waitFor();
    await ada.reload();
    await messageOf(ada, 'Which tickets?').waitFor();
    expect(await messageOf(ada, 'Bring the tickets').count()).toBe(0);
    await other.context().close();
  });

  it('is deleted from the list and returns with a new message, without the old ones', async () => {
    await requestAs(service, await sessionOf(ada), `POST /dm/threads/${thread_id}/chat`, { body: 'Which pier?' });
    for (const page of [ada, ben]) {
      await visit(page, thread());
      await messageOf(page, 'Which pier?').waitFor();
    }
    await choose(ada, 'Delete chat');
    await question(ada, 'Delete this chat?').getByRole('button', { name: 'Delete chat' }).click();
    await ada.waitForURL(/\/messages$/);
    await chatLink(ada, /^ben/).waitFor({ state: 'detached' });
    await ada.getByText('Chat deleted.').waitFor();
    await visit(ada, thread());
    await ada.getByText('This chat is closed').waitFor();
    await visit(ada, `${service.url}/app/messages`);
    await writeMessage(ben, 'Found them');
    await chatLink(ada, /^ben/).click();
    await messageOf(ada, 'Found them').waitFor();
    expect(await messageOf(ada, 'Which pier?').count()).toBe(0);
    expect(await messageOf(ben, 'Which pier?').count()).toBe(1);
  });

  it('is deleted in the menu of its row, on a phone, and stays when the service is not reached', async () => {
    await visit(ben, `${service.url}/app/messages`);
    await chatLink(ben, /^ada/).waitFor();
    const remove = async () => {
      await ben.getByRole('button', { name: 'Chat options for ada' }).focus();
      await ben.keyboard.press('Enter');
      await ben.getByRole('menuitem', { name: 'Delete chat' }).click();
      await question(ben, 'Delete this chat?').waitFor();
    };
    await remove();
    expect(await inspectPage(ben, 'delete-chat-question')).toEqual([]);
    await ben.route('**/v1/dm/threads/*', (route) => route.abort());
    await question(ben, 'Delete this chat?').getByRole('button', { name: 'Delete chat' }).click();
    await ben
      .getByRole('status')
      .filter({ hasText: /reach|connect|network/i })
      .first()
      .waitFor();
    await chatLink(ben, /^ada/).waitFor();
    await ben.unroute('**/v1/dm/threads/*');
    await remove();
    await question(ben, 'Delete this chat?').getByRole('button', { name: 'Delete chat' }).click();
    await chatLink(ben, /^ada/).waitFor({ state: 'detached' });
    expect((await requestAs(service, await sessionOf(ben), 'GET /dm/threads')).items).toEqual([]);
  });

  it('is cleared for a member of a group, who stays in it', async () => {
    const as_ada = await sessionOf(ada);
    const group = await requestAs(service, as_ada, 'POST /groups', { name: 'Pier' });
    await requestAs(service, as_ada, `POST /groups/${group.id}/chat`, { body: 'At nine?' });
    await visit(ada, `${service.url}/app/messages/group/${group.id}`);
    await messageOf(ada, 'At nine?').waitFor();
    await ada.getByRole('button', { name: 'More about Pier' }).click();
    expect(await ada.getByRole('menuitem', { name: 'Delete chat' }).count()).toBe(0);
    await ada.getByRole('menuitem', { name: 'Clear chat' }).click();
    await question(ada, 'Clear this chat?').getByText('The others in Pier keep them.').waitFor();
    await question(ada, 'Clear this chat?').getByRole('button', { name: 'Clear chat' }).click();
    await messageOf(ada, 'At nine?').waitFor({ state: 'detached' });
    await chatLink(ada, /^Pier/).getByText('No messages').waitFor();
  });
});
