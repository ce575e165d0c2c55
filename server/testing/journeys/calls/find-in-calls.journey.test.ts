/** Messages of calls and widgets are found, opened in their context, forwarded, and edited after the call has ended. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  sessionOf,
  visit,
} from '../../browser/windows.ts';

describeStory(missing_browser, 'finding messages of calls and widgets', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let join_code = '';
  let widget_id = '';
  const windows = useBrowserWindows();
  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);

  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    const tag = await asPage(ada, 'POST /xtags', { name: 'lantern' });
    const widget = await asPage(ada, 'POST /widgets', {
      tag_id: tag.id,
      kind: 'chat',
      title: 'Lantern shop',
      allowed_origins: ['https://shop.example'],
    });
    widget_id = widget.id;
    const { body: guest } = await service.call('POST /widgets/guests', {
      body: { public_key: widget.public_key, name: 'Gina' },
      headers: { origin: 'https://shop.example' },
    });
    for (const body of ['Do you have paper lanterns?', ...Array.from({ length: 60 }, (_, at) => `Question ${at}.`)])
      await service.call(`POST /widgets/${widget_id}/chat`, { token: guest.token, body: { body } });
  });

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const log = (page: Page) => page.getByRole('log');
  const messageOf = (page: Page, text: string) => log(page).getByRole('listitem').filter({ hasText: text }).first();
  const isInView = async (page: Page, text: string) => {
    const [line, box] = [await messageOf(page, text).boundingBox(), await log(page).boundingBox()];
    return line !== null && box !== null && line.y >= box.y && line.y + line.height <= box.y + box.height;
  };
  const find = async (page: Page, text: string) => {
    await visit(page, `${service.url}/app/messages`);
    await page.getByRole('textbox', { name: 'Search your chats' }).fill(text);
    return page.getByRole('list', { name: 'Messages' }).getByRole('link');
  };
  const openMenu = async (page: Page, text: string) => {
    await messageOf(page, text).hover();
    await messageOf(page, text)
      .getByRole('button', { name: /^More about/ })
      .click();
  };

  it('searches the chat of a live call, and scrolls to the result', async () => {
    await areaLink(ada, /^Call$/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1) ?? '';
    await asPage(ada, 'PATCH /calls/active', { privacy: 'public' });
    await asPage(ada, `POST /calls/${join_code}/chat`, { body: 'The lantern parade starts at dusk' });
    for (let at = 0; at < 120; at++) await asPage(ada, `POST /calls/${join_code}/chat`, { body: `Step ${at}.` });
    await messageOf(ada, 'Step 119.').waitFor();
    await press(ada, 'Search in chat');
    const sheet = ada.getByRole('dialog', { name: 'Search in chat' });
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('parade');
    await sheet.getByRole('button', { name: /lantern parade/ }).waitFor();
    expect(await inspectPage(ada, 'call-chat-search', 'each')).toEqual([]);
    await sheet.getByRole('button', { name: /lantern parade/ }).click();
    await expect.poll(() => isInView(ada, 'The lantern parade')).toBe(true);
    await press(ada, 'Jump to latest');
    await expect.poll(() => isInView(ada, 'Step 119.')).toBe(true);
  });

  it('forwards a message of the call into the call and into a widget', async () => {
    await openMenu(ada, 'Step 119.');
    await ada.getByRole('menuitem', { name: 'Forward' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Forward to' });
    await sheet.getByRole('checkbox', { name: 'This call' }).check();
    await sheet.getByRole('checkbox', { name: /^Gina/ }).check();
    expect(await inspectPage(ada, 'forward-everywhere')).toEqual([]);
    await press(ada, 'Send to 2');
    const read = async (path: string) =>
      (await service.call(`GET ${path}`, await sessionOf(ada))).body.items.filter(
        ({ forwarded, body }: { forwarded: boolean; body: string }) => forwarded && body === 'Step 119.',
      ).length;
    await expect.poll(() => read(`/calls/${join_code}/chat`)).toBe(1);
    await expect.poll(() => read(`/widgets/${widget_id}/chat`)).toBe(1);
  });

  it('finds messages of an ended call and of a widget, and opens each in its context', async () => {
    await asPage(ada, 'DELETE /calls/active', {});
    const found = await find(ada, 'lantern');
    await expect.poll(() => found.count()).toBe(2);
    expect(await found.nth(0).locator('mark').allTextContents()).toEqual(['lantern']);
    expect(await inspectPage(ada, 'message-search-everywhere')).toEqual([]);
    await found.filter({ hasText: 'parade' }).click();
    await expect.poll(() => isInView(ada, 'The lantern parade')).toBe(true);
    expect(await messageOf(ada, 'Step 119.').count()).toBe(0);
    await ada.getByText('Only people in the call can write here.').waitFor();
    expect(await inspectPage(ada, 'past-call-chat')).toEqual([]);
    const again = await find(ada, 'paper lantern');
    await again.filter({ hasText: 'Gina · Lantern shop' }).click();
    await expect.poll(() => isInView(ada, 'Do you have paper lanterns?')).toBe(true);
    await press(ada, /^More about (?!“)/);
    await ada.getByRole('menuitem', { name: 'Search in chat' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Search in chat' });
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('parade');
    await sheet.getByText('No results for “parade”.').waitFor();
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('question 30');
    await sheet.getByRole('link', { name: /Question 30\./ }).click();
    await expect.poll(() => isInView(ada, 'Question 30.')).toBe(true);
  });

  it('edits and deletes messages in the chat of an ended call', async () => {
    await visit(ada, `${service.url}/app/calls`);
    await ada
      .getByRole('link', { name: /^Chat of the call/ })
      .first()
      .click();
    await messageOf(ada, 'Step 119.').waitFor();
    await openMenu(ada, 'Step 119.');
    expect(await ada.getByRole('menuitem', { name: 'Reply' }).count()).toBe(0);
    await ada.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.getByRole('textbox', { name: 'Message' }).fill('The last step');
    await press(ada, 'Save');
    await messageOf(ada, 'The last step').waitFor();
    await ada.getByText('Only people in the call can write here.').waitFor();
    await openMenu(ada, 'Step 118.');
    await ada.getByRole('menuitem', { name: 'Delete' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await messageOf(ada, 'Message deleted').waitFor();
    await ada.reload();
    await messageOf(ada, 'The last step').waitFor();
    await messageOf(ada, 'Message deleted').waitFor();
    expect(await messageOf(ada, 'Step 118.').count()).toBe(0);
  });

  it('does not show the chat to a person who was not in the call', async () => {
    await visit(ben, `${service.url}/app/messages`);
    await ben.getByRole('textbox', { name: 'Search your chats' }).fill('lantern');
    await ben.getByText('No results for “lantern”.').waitFor();
    const [past] = (await service.call('GET /call-history', await sessionOf(ada))).body.items;
    await visit(ben, `${service.url}/app/messages/call/${past.conference_id}`);
    await ben
      .getByRole('heading', { name: /closed/i })
      .first()
      .waitFor();
    expect(await inspectPage(ben, 'past-call-closed', 'each')).toEqual([]);
  });
});
