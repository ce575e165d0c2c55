/** Messages are found and opened in their context; chats are pinned, muted and archived, and messages forwarded. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser, sessionOf, visit } from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'searching messages and organising chats', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let group_id: string;
  const windows = useBrowserWindows();
  const asPage = async (page: Page, route: string, body?: object) =>
    requestAs(service, await sessionOf(page), route, body);
  const idOf = async (page: Page) => (await service.call('GET /me', await sessionOf(page))).body.id as string;

  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = (await asPage(ada, 'POST /dm/threads', { user_id: await idOf(ben) })).id;
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Where shall we watch from?' });
    await asPage(ben, `POST /dm/threads/${thread_id}/chat`, { body: 'The café by the lighthouse, at nine' });
    for (let at = 0; at < 90; at++)
      await asPage(at % 3 ? ada : ben, `POST /dm/threads/${thread_id}/chat`, { body: `Wave ${at}.` });
    group_id = (await asPage(ada, 'POST /groups', { name: 'Lighthouse walkers' })).id;
    await asPage(ada, `POST /groups/${group_id}/chat`, { body: 'Bring a torch to the cafe' });
  });

  /** Writes in the thread. */
  const write = (page: Page, body: string) => asPage(page, `POST /dm/threads/${thread_id}/chat`, { body });
  const log = (page: Page) => page.getByRole('log');
  const messageOf = (page: Page, text: string) => log(page).getByRole('listitem').filter({ hasText: text }).first();
  const isInView = async (page: Page, text: string) => {
    const [line, box] = [await messageOf(page, text).boundingBox(), await log(page).boundingBox()];
    return line !== null && box !== null && line.y >= box.y && line.y + line.height <= box.y + box.height;
  };

  /** Opens the thread at an old message, which ada has found. */
  async function openFound(): Promise<void> {
    await visit(ada, `${service.url}/app/messages`);
    await ada.getByRole('textbox', { name: 'Search your chats' }).fill('cafe light');
    await ada.getByRole('list', { name: 'Messages' }).getByRole('link').click();
    await messageOf(ada, 'The café by the lighthouse').waitFor();
    await expect.poll(() => isInView(ada, 'The café by the lighthouse')).toBe(true);
  }

  it('finds chats by name and messages by text, and opens the chat at the result', async () => {
    await visit(ada, `${service.url}/app/messages`);
    const search = ada.getByRole('textbox', { name: 'Search your chats' });
    await search.fill('lighthouse');
    const chats = ada.getByRole('list', { name: 'Chats' });
    await chats.getByRole('link', { name: /Lighthouse walkers/ }).waitFor();
    await search.fill('torch');
    // In a group, the row shows the author.
    await ada
      .getByRole('list', { name: 'Messages' })
      .getByText(/^You: Bring a torch/)
      .waitFor();
    await search.fill('CAFE light');
    const found = ada.getByRole('list', { name: 'Messages' }).getByRole('link');
    await expect.poll(() => found.count()).toBe(1);
    expect(await found.locator('mark').allTextContents()).toEqual(['café', 'lighthouse']);
    expect(await inspectPage(ada, 'message-search')).toEqual([]);
    await found.click();
    await messageOf(ada, 'The café by the lighthouse').waitFor();
    await expect.poll(() => isInView(ada, 'The café by the lighthouse')).toBe(true);
    expect(await messageOf(ada, 'Wave 89.').count()).toBe(0);
    expect(await inspectPage(ada, 'message-found', 'each')).toEqual([]);
  });

  it('loads newer messages by scrolling, or jumps to the newest', async () => {
    await write(ben, 'Near the end');
    await openFound();
    const scrollDown = async () => {
      await log(ada).hover();
      await ada.mouse.wheel(0, 4000);
    };
    await expect.poll(async () => (await scrollDown(), messageOf(ada, 'Near the end').count())).toBe(1);
    expect(await ada.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
    await write(ben, 'Heard at the end');
    await messageOf(ada, 'Heard at the end').waitFor();
    const unreadCount = async () => (await asPage(ada, `GET /dm/threads/${thread_id}`)).unread_count;
    await expect.poll(unreadCount).toBe(0);
    await ada.reload();
    await expect.poll(() => isInView(ada, 'The café by the lighthouse')).toBe(true);
    await ada.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(() => isInView(ada, 'Heard at the end')).toBe(true);
    expect(new URL(ada.url()).search).toBe('');
  });

  it('searches in the open chat, also on a phone, and jumps to the end after sending a message', async () => {
    await write(ada, 'The newest of all');
    await visit(ben, `${service.url}/app/messages/${thread_id}`);
    await messageOf(ben, 'The newest of all').waitFor();
    await ben.getByRole('button', { name: /^More about [^“]/ }).click();
    await ben.getByRole('menuitem', { name: 'Search in chat' }).click();
    const sheet = ben.getByRole('dialog');
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('torch');
    await sheet.getByText('No results for “torch”.').waitFor();
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('wave 2');
    await sheet
      .getByRole('link', { name: /Wave 2\./ })
      .first()
      .waitFor();
    expect(await inspectPage(ben, 'chat-search', 'each')).toEqual([]);
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('watch');
    await sheet.getByRole('link', { name: /Where shall we watch from/ }).click();
    await expect.poll(() => isInView(ben, 'Where shall we watch from?')).toBe(true);
    await ben.getByRole('textbox', { name: 'Message' }).fill('From the pier after all');
    await ben.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => isInView(ben, 'From the pier after all')).toBe(true);
    await messageOf(ben, 'The newest of all').waitFor();
  });

  it('jumps to a day', async () => {
    await write(ben, 'Until tomorrow');
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await messageOf(ada, 'Until tomorrow').waitFor();
    await ada.getByRole('button', { name: /^More about [^“]/ }).click();
    await ada.getByRole('menuitem', { name: 'Jump to a date' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Jump to a date' });
    await sheet.getByLabel('Day').waitFor();
    expect(await inspectPage(ada, 'chat-date', 'each')).toEqual([]);
    await sheet.getByRole('button', { name: 'Jump' }).click();
    // All messages are of today, and this is the first.
    await expect.poll(() => isInView(ada, 'Where shall we watch from?')).toBe(true);
    await ada.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  const rows = (page: Page) => page.getByRole('region', { name: 'Chats' }).getByRole('link');
  const rowOf = (page: Page, name: string | RegExp) => rows(page).filter({ hasText: name });
  const choose = async (page: Page, name: string, act: string) => {
    const region = page.getByRole('region', { name: /^(Chats|Archived)$/ });
    await region.getByRole('link').filter({ hasText: name }).hover();
    await region.getByRole('button', { name: `Chat options for ${name}` }).click();
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  };
  const namesOf = async (page: Page) =>
    (await page.locator('.chat-row b').allTextContents()).filter((name) => name !== 'Archived');

  /** Sets what ada has chosen for her two chats, and opens their list, where a message of ben is new. */
  async function openChats(news: string, chosen: { group?: object; thread?: object } = {}): Promise<void> {
    const plain = { muted_until: null, archived: false, pinned: false, marked_unread: false };
    await asPage(ada, `PATCH /groups/${group_id}/chat/settings`, { ...plain, ...chosen.group });
    await asPage(ada, `PATCH /dm/threads/${thread_id}/settings`, { ...plain, ...chosen.thread });
    const { id } = await write(ada, `Before ${news}`);
    await asPage(ada, `POST /dm/threads/${thread_id}/read`, { up_to_id: id });
    await write(ben, news);
    await visit(ada, `${service.url}/app/messages`);
    await rowOf(ada, news)
      .filter({ hasText: /1 not read/ })
      .waitFor();
  }

  it('pins a chat above the newest, on every device', async () => {
    await openChats('Not pinned');
    await expect.poll(() => namesOf(ada)).toEqual(['ben', 'Lighthouse walkers']);
    const second = await ada.context().newPage();
    await visit(second, `${service.url}/app/messages`);
    await rowOf(second, 'Lighthouse walkers').waitFor();
    await choose(ada, 'Lighthouse walkers', 'Pin');
    for (const page of [ada, second])
      await expect.poll(async () => (await namesOf(page))[0]).toBe('Lighthouse walkers');
    await second.close();
    await write(ben, 'Still below');
    await rowOf(ada, 'Still below').waitFor();
    expect((await namesOf(ada))[0]).toBe('Lighthouse walkers');
  });

  it('opens the menu of a chat on a long press and on a right click', async () => {
    await openChats('Press me');
    const row = rowOf(ada, 'ben');
    const menu = ada.getByRole('menuitem', { name: 'Mute always', exact: true });
    await row.click({ button: 'right' });
    await menu.waitFor();
    await ada.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    const finger = { pointerType: 'touch', isPrimary: true, clientX: 200, clientY: 200 };
    await row.dispatchEvent('pointerdown', finger);
    await menu.waitFor();
    await row.dispatchEvent('pointerup', finger);
    await row.dispatchEvent('click');
    expect(new URL(ada.url()).pathname).toBe('/app/messages');
    await ada.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('marks chats as read and as unread, until they are opened', async () => {
    await openChats('Read me');
    await choose(ada, 'ben', 'Mark as read');
    await rowOf(ada, /not read/).waitFor({ state: 'detached' });
    for (const name of ['ben', 'Lighthouse walkers']) {
      await choose(ada, name, 'Mark as unread');
      const marked = rowOf(ada, new RegExp(`${name}.*Marked as unread`));
      await marked.waitFor();
      expect(await inspectPage(ada, 'chats-marked')).toEqual([]);
      await marked.click();
      await marked.waitFor({ state: 'detached' });
      await visit(ada, `${service.url}/app/messages`);
    }
  });

  it('mutes a chat, whose unread messages are not in the badge any more', async () => {
    await openChats('One more');
    const tab = ada
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: /^Chats/ });
    await expect.poll(() => tab.textContent()).toMatch(/1/);
    await choose(ada, 'ben', 'Mute always');
    await rowOf(ada, /ben.*Muted/).waitFor();
    await expect.poll(() => tab.textContent()).not.toMatch(/1/);
    await rowOf(ada, /Muted.*1 not read/).waitFor();
    expect(await inspectPage(ada, 'chats-set')).toEqual([]);
  });

  it('archives chats: a muted one remains archived, another returns with the next message', async () => {
    await openChats('Put me away', { group: { pinned: true }, thread: { muted_until: '9999-12-31T23:59:59Z' } });
    await rowOf(ada, /ben.*Muted/).waitFor();
    await choose(ada, 'ben', 'Archive');
    await expect.poll(() => namesOf(ada)).toEqual(['Lighthouse walkers']);
    await write(ben, 'Not even now');
    await ada.getByRole('link', { name: /^Archived/ }).click();
    const archived = ada.getByRole('region', { name: 'Archived' });
    await archived.getByRole('link').filter({ hasText: 'Not even now' }).waitFor();
    expect(await inspectPage(ada, 'chats-archived')).toEqual([]);
    await choose(ada, 'ben', 'Stop muting');
    await archived.getByRole('link').filter({ hasText: 'Muted' }).waitFor({ state: 'detached' });
    await write(ben, 'Here I am');
    await archived.getByText('Nothing archived').waitFor();
    await ada.getByRole('link', { name: 'Back to your chats' }).click();
    await rowOf(ada, 'Here I am').waitFor();
    await choose(ada, 'ben', 'Archive');
    await expect.poll(() => namesOf(ada)).toEqual(['Lighthouse walkers']);
    await ada.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => namesOf(ada)).toEqual(['Lighthouse walkers', 'ben']);
  });

  it('forwards a message to several chats without its author, also while offline', async () => {
    await openChats('Who else has to know?');
    await asPage(ada, `POST /groups/${group_id}/chat`, { body: 'Bring a map to the pier' });
    await visit(ada, `${service.url}/app/messages/group/${group_id}`);
    await messageOf(ada, 'Bring a map').hover();
    await ada.getByRole('button', { name: /More about “Bring a map/ }).click();
    await ada.getByRole('menuitem', { name: 'Forward' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Forward to' });
    await sheet.getByRole('checkbox', { name: 'ben' }).check();
    await sheet.getByRole('checkbox', { name: 'Lighthouse walkers' }).check();
    expect(await inspectPage(ada, 'forward-sheet')).toEqual([]);
    await sheet.getByRole('button', { name: 'Send to 2' }).click();
    await ada.getByText('Forwarded to 2 chats.').waitFor();
    await messageOf(ada, 'Forwarded').getByText('Bring a map to the pier', { exact: true }).waitFor();
    await visit(ben, `${service.url}/app/messages/${thread_id}`);
    await messageOf(ben, 'Forwarded').getByText('Bring a map to the pier', { exact: true }).waitFor();
    expect(await inspectPage(ben, 'forwarded', 'each')).toEqual([]);
    expect(await messageOf(ben, 'Forwarded').textContent()).not.toMatch(/Lighthouse walkers/);
    await ada.context().setOffline(true);
    await messageOf(ada, 'Forwarded').hover();
    await messageOf(ada, 'Forwarded')
      .getByRole('button', { name: /^More about/ })
      .click();
    expect(await ada.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await ada.getByRole('menuitem', { name: 'Forward' }).click();
    await sheet.getByRole('textbox', { name: 'Search your chats' }).fill('be');
    await sheet.getByRole('checkbox', { name: 'ben' }).check();
    await sheet.getByRole('button', { name: 'Send to 1' }).click();
    await ada.getByText('Forwarded to ben.').waitFor();
    await ada.context().setOffline(false);
    await expect.poll(() => log(ben).getByText('Forwarded', { exact: true }).count()).toBe(2);
  });
});
