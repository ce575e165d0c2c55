/** Messages are found and opened where they stand; chats are pinned, silenced and put away, and messages handed on. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { inspectPage } from '../page-checks.ts';
import { ask } from '../running-people.ts';
import { type Service } from '../running-service.ts';
import { keepWindows, meet, missing_browser } from '../windows.ts';

describeUnlessMissing(missing_browser, 'finding messages and keeping chats in order', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let group_id: string;
  const windows = keepWindows();
  const sessionOf = async (page: Page) =>
    JSON.parse(String(await page.evaluate('localStorage.getItem("asterism.session")'))) as { token: string };
  const asPage = async (page: Page, route: string, body: object) => ask(service, await sessionOf(page), route, body);
  const idOf = async (page: Page) => (await service.call('GET /me', await sessionOf(page))).body.id as string;

  beforeAll(async () => {
    ({ service, ada, ben } = await meet(windows, { ada: 'desk', ben: 'phone' }));
    for (const page of [ada, ben]) page.setDefaultTimeout(10_000);
    thread_id = (await asPage(ada, 'POST /dm/threads', { user_id: await idOf(ben) })).id;
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Where shall we watch from?' });
    await asPage(ben, `POST /dm/threads/${thread_id}/chat`, { body: 'The café by the lighthouse, at nine' });
    for (let at = 0; at < 90; at++)
      await asPage(at % 3 ? ada : ben, `POST /dm/threads/${thread_id}/chat`, { body: `Wave ${at}` });
    group_id = (await asPage(ada, 'POST /groups', { name: 'Lighthouse walkers' })).id;
    await asPage(ada, `POST /groups/${group_id}/chat`, { body: 'Bring a torch to the cafe' });
    await ada.goto(`${service.url}/app/messages`);
    await ben.goto(`${service.url}/app/messages`);
  }, 90_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const log = (page: Page) => page.getByRole('log');
  const lineOf = (page: Page, words: string) => log(page).getByRole('listitem').filter({ hasText: words }).first();
  const isInView = async (page: Page, words: string) => {
    const [line, box] = [await lineOf(page, words).boundingBox(), await log(page).boundingBox()];
    return line !== null && box !== null && line.y >= box.y && line.y + line.height <= box.y + box.height;
  };

  it('finds chats by name and messages by their words, and opens the chat at what was found', async () => {
    const search = ada.getByRole('textbox', { name: 'Search chats and messages' });
    await search.fill('lighthouse');
    const chats = ada.getByRole('list', { name: 'Chats' });
    await chats.getByRole('link', { name: /Lighthouse walkers/ }).waitFor();
    await search.fill('CAFE light');
    const found = ada.getByRole('list', { name: 'Messages' }).getByRole('link');
    await expect.poll(() => found.count()).toBe(1);
    expect(await found.locator('mark').allTextContents()).toEqual(['café', 'lighthouse']);
    expect(await inspectPage(ada, 'message-search')).toEqual([]);
    await found.click();
    await lineOf(ada, 'The café by the lighthouse').waitFor();
    await expect.poll(() => isInView(ada, 'The café by the lighthouse')).toBe(true);
    expect(await lineOf(ada, 'Wave 89').count()).toBe(0);
    expect(await inspectPage(ada, 'message-found', 'each')).toEqual([]);
  });

  it('reads on from there to the newest, by scrolling or at once', async () => {
    const down = async () => {
      await log(ada).hover();
      await ada.mouse.wheel(0, 4000);
    };
    await expect.poll(async () => (await down(), lineOf(ada, 'Wave 89').count()), { timeout: 10_000 }).toBe(1);
    expect(await ada.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
    await asPage(ben, `POST /dm/threads/${thread_id}/chat`, { body: 'Heard at the end' });
    await lineOf(ada, 'Heard at the end').waitFor();
    await ada.reload();
    await expect.poll(() => isInView(ada, 'The café by the lighthouse')).toBe(true);
    await ada.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(() => isInView(ada, 'Heard at the end')).toBe(true);
    expect(new URL(ada.url()).search).toBe('');
  });

  it('searches in the chat that is open, also on a phone, and what one writes there leads to the end', async () => {
    await ben.goto(`${service.url}/app/messages/${thread_id}`);
    await lineOf(ben, 'Heard at the end').waitFor();
    await ben.getByRole('button', { name: /^More about [^“]/ }).click();
    await ben.getByRole('menuitem', { name: 'Search in chat' }).click();
    const sheet = ben.getByRole('dialog');
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('torch');
    await sheet.getByText('No results for “torch”.').waitFor();
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('wave 2');
    await sheet
      .getByRole('link', { name: /Wave 2$|Wave 2 / })
      .first()
      .waitFor();
    expect(await inspectPage(ben, 'chat-search', 'each')).toEqual([]);
    await sheet.getByRole('textbox', { name: 'Search in chat' }).fill('watch');
    await sheet.getByRole('link', { name: /Where shall we watch from/ }).click();
    await expect.poll(() => isInView(ben, 'Where shall we watch from?')).toBe(true);
    await ben.getByRole('textbox', { name: 'Message' }).fill('From the pier after all');
    await ben.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => isInView(ben, 'From the pier after all')).toBe(true);
    await lineOf(ben, 'Heard at the end').waitFor();
  });
});
