/** Actions on messages: reply, react, edit, and record, in two browsers. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { openEmptiedThread, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  useBrowserWindows,
  openTouchPhone,
  openTwoPeople,
  missing_browser,
  sessionOf,
  visit,
} from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'actions on messages in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
  });
  /** The chat of both people in both windows, with a message of ada's alone. */
  const openChat = (body?: string) => openEmptiedThread(service, ada, ben, thread_id, body);

  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  /** The same chat with so many lines that they do not fit into a window, and a last message of ada's. */
  async function openLongChat(last: string): Promise<void> {
    await openChat();
    const chat = `POST /dm/threads/${thread_id}/chat`;
    for (let at = 0; at < 12; at++) await asPage(ben, chat, { body: `Wave ${at}.\n\n\n\nand its foam` });
    await asPage(ada, chat, { body: last });
    for (const page of [ada, ben]) await messageOf(page, last).waitFor();
  }
  const messageOf = (page: Page, text: string | RegExp) =>
    page.getByRole('log').getByRole('listitem').filter({ hasText: text }).first();
  const chatRow = (page: Page) => page.locator('a.row[href*="/messages/thr_"]').first();
  const log = (page: Page) => page.getByRole('log');
  const input = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const expectInputFocus = (page: Page) => expect.poll(async () => (await focusedElement(page)).name).toBe('Message');
  const choose = async (page: Page, text: string, act: string) => {
    await messageOf(page, text).hover();
    await page.getByRole('button', { name: `More about “${text}”` }).click();
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  };
  const write = async (page: Page, text: string) => {
    await input(page).fill(text);
    await page.keyboard.press('Enter');
    await messageOf(page, text).waitFor();
    await expect.poll(() => messageOf(page, 'Sending').count()).toBe(0);
  };

  it('replies to a message, and leads from the reply to it', async () => {
    await openChat();
    await choose(ben, 'The pier at nine?', 'Reply');
    await expectInputFocus(ben);
    await ben.getByRole('button', { name: 'Cancel reply' }).waitFor();
    await write(ben, 'Nine it is');
    await messageOf(ada, 'Nine it is').getByText('The pier at nine?').waitFor();
    expect(await ben.getByRole('button', { name: 'Cancel reply' }).count()).toBe(0);
    const chat = `/dm/threads/${thread_id}/chat`;
    const { items } = await requestAs(service, await sessionOf(ben), `GET ${chat}`);
    for (let at = 0; at < 30; at++)
      await asPage(ben, `POST ${chat}`, { body: `Wave ${at}.`, ...(at === 29 ? { reply_to: items.at(-1).id } : {}) });
    await messageOf(ada, 'Wave 29.')
      .getByRole('button', { name: /In reply to/ })
      .click();
    await expect
      .poll(async () => (await messageOf(ada, 'The pier at nine?').boundingBox())?.y ?? -1)
      .toBeGreaterThan(0);
    expect(await inspectPage(ada, 'message-answer')).toEqual([]);
    await log(ada).press('End');
  });

  it('counts messages that arrive while older ones are read, on a button to the newest', async () => {
    await openLongChat('The tide is low');
    const chat = `/dm/threads/${thread_id}/chat`;
    const jump = ben.getByRole('button', { name: /^\d+ new messages?$|^Jump to latest$/ });
    await log(ben).press('End');
    await messageOf(ada, /The tide is low.*Read/s).waitFor();
    await jump.waitFor({ state: 'detached' });
    await log(ben).press('Home');
    await ben.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await asPage(ada, `POST ${chat}`, { body: 'The tide is high' });
    await ben.getByRole('button', { name: '1 new message', exact: true }).waitFor();
    await asPage(ada, `POST ${chat}`, { body: 'Bring boots' });
    await ben.getByRole('button', { name: '2 new messages', exact: true }).waitFor();
    expect(await inspectPage(ben, 'message-jump')).toEqual([]);
    await jump.click();
    await jump.waitFor({ state: 'detached' });
    const [line_box, log_box] = [await messageOf(ben, 'Bring boots').boundingBox(), await log(ben).boundingBox()];
    expect((line_box?.y ?? 0) + (line_box?.height ?? 0)).toBeLessThanOrEqual(
      (log_box?.y ?? 0) + (log_box?.height ?? 0),
    );
  });

  it('opens the menu of a message on a long press, and keeps it open when the finger is lifted', async () => {
    await openChat('Bring boots');
    const phone = await openTouchPhone(windows, service, ben);
    await phone.goto(`${service.url}/app/messages/${thread_id}`);
    const bubble = messageOf(phone, 'Bring boots').locator('.msg');
    await bubble.waitFor();
    const { x, y } = (await bubble.boundingBox()) ?? { x: 0, y: 0 };
    const touch = await phone.context().newCDPSession(phone);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 12, y: y + 12 }] });
    await phone.getByRole('menu').waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await phone.getByRole('menuitem', { name: 'Reply' }).tap();
    await phone.getByRole('button', { name: 'Cancel reply' }).waitFor();
    await phone.context().close();
  });

  it('replies to a message that is swiped sideways, and scrolls when it is moved upwards', async () => {
    await openLongChat('Bring boots');
    const phone = await openTouchPhone(windows, service, ben);
    await phone.goto(`${service.url}/app/messages/${thread_id}`);
    const bubble = messageOf(phone, 'Bring boots').locator('.msg');
    await bubble.waitFor();
    const touch = await phone.context().newCDPSession(phone);
    /** Moves a finger over the message in steps, as a hand does, and lifts it. */
    const swipe = async (across: number, along: number) => {
      const { x, y } = (await bubble.boundingBox()) ?? { x: 0, y: 0 };
      const at = (share: number) => [{ x: x + 20 + across * share, y: y + 12 + along * share }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (const share of [0.25, 0.5, 0.75, 1])
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const cancel = phone.getByRole('button', { name: 'Cancel reply' });
    for (const across of [100, -100]) {
      await swipe(across, 0);
      await phone.locator('.answering').getByText('Bring boots').waitFor();
      await expect.poll(async () => (await focusedElement(phone)).name).toBe('Message');
      await phone.keyboard.press('Escape');
      await cancel.waitFor({ state: 'detached' });
    }
    await swipe(40, 0);
    await swipe(60, 120);
    expect(await cancel.count()).toBe(0);
    expect(await phone.locator('.swipe-sign').count()).toBe(0);
    await phone.context().close();
  });

  it('opens the menu of a message by a right click, and replies by a double click beside it', async () => {
    await openChat('Bring boots');
    const line = messageOf(ada, 'Bring boots').locator('.msg-line');
    await line.locator('.msg').click({ button: 'right' });
    await ada.getByRole('menuitem', { name: 'Reply' }).waitFor();
    await ada.keyboard.press('Escape');
    const { height = 0 } = (await line.boundingBox()) ?? {};
    await line.dblclick({ position: { x: 20, y: height / 2 } });
    await ada.getByRole('button', { name: 'Cancel reply' }).click();
    // In a bubble it selects a word, which the menu of the browser copies.
    await line.locator('.msg').dblclick({ position: { x: 24, y: 14 } });
    expect(await ada.getByRole('button', { name: 'Cancel reply' }).count()).toBe(0);
    await line.locator('.msg').click({ button: 'right', position: { x: 24, y: 14 } });
    expect(await ada.getByRole('menu').count()).toBe(0);
    await line.locator('.msg').click();
  });

  it('records a voice message, discards one, and sends one that the recipient can play', async () => {
    await openChat();
    const record = ada.getByRole('button', { name: 'Record a voice message' });
    const bar = ada.getByRole('group', { name: 'Voice message' });
    await record.click();
    await bar.getByText('0:01').waitFor();
    expect(await inspectPage(ada, 'message-recording')).toEqual([]);
    await bar.getByRole('button', { name: 'Discard recording' }).click();
    await bar.waitFor({ state: 'detached' });
    const players = ben.getByRole('log').getByRole('button', { name: /^Play/ });
    expect(await players.count()).toBe(0);
    // Text in the input replaces the button.
    await input(ada).fill('A word');
    await record.waitFor({ state: 'detached' });
    await input(ada).fill('');
    await record.click();
    await bar.getByText('0:01').waitFor();
    await bar.getByRole('button', { name: 'Send voice message' }).click();
    await players.waitFor();
    await expect.poll(() => messageOf(ada, 'Sending').count()).toBe(0);
    expect(await players.count()).toBe(1);
    await record.waitFor();
    // In the list beside the chat.
    await ada.getByText(/^Voice message, \d:\d\d$/).waitFor();
  });

  it('reacts with one emoji, which both see at once, and removes it', async () => {
    await openEmptiedThread(service, ben, ada, thread_id, 'Wave 29.');
    await messageOf(ada, 'Wave 29.').hover();
    await ada.getByRole('button', { name: 'More about “Wave 29.”' }).click();
    await ada.getByRole('menuitemradio', { name: 'Heart' }).click();
    const heart = (page: Page) => messageOf(page, 'Wave 29.').getByRole('button', { name: /❤️/ });
    await heart(ben).waitFor();
    await heart(ben).click();
    await expect.poll(() => heart(ada).textContent()).toBe('❤️2');
    expect(await heart(ada).getAttribute('aria-pressed')).toBe('true');
    expect(await inspectPage(ben, 'message-reactions')).toEqual([]);
    await heart(ada).click();
    await expect.poll(() => heart(ben).textContent()).toBe('❤️1');
    await heart(ben).click();
    await heart(ada).waitFor({ state: 'detached' });
  });

  it('edits by the menu and by ArrowUp, and shows earlier versions', async () => {
    await openChat();
    await input(ada).fill('A draft');
    await write(ada, 'I bring the tee');
    await input(ada).press('ArrowUp');
    await ada.getByRole('button', { name: 'Cancel editing' }).waitFor();
    expect(await input(ada).inputValue()).toBe('I bring the tee');
    await input(ada).fill('I bring the tea');
    await ada.keyboard.press('Enter');
    await messageOf(ben, 'I bring the tea').getByText('Edited').click();
    const sheet = ben.getByRole('dialog', { name: 'Earlier versions' });
    await sheet.getByText('I bring the tee', { exact: true }).waitFor();
    expect(await inspectPage(ben, 'message-history', 'each')).toEqual([]);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await choose(ada, 'I bring the tea', 'Edit');
    await expectInputFocus(ada);
    await ada.keyboard.press('Escape');
    await ada.getByRole('button', { name: 'Cancel editing' }).waitFor({ state: 'detached' });
    expect(await input(ada).inputValue()).toBe('');
    await messageOf(ben, 'I bring the tea').hover();
    await ben.getByRole('button', { name: 'More about “I bring the tea”' }).click();
    await ben.getByRole('menuitem', { name: 'Reply' }).waitFor();
    expect(await ben.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await ben.keyboard.press('Escape');
  });

  /** Holds changes of messages until the returned function is called, and answers them itself if it is told to. */
  async function holdChanges(): Promise<{ release: (refused?: object) => void; methods: string[] }> {
    const gate = Promise.withResolvers<object | undefined>();
    const methods: string[] = [];
    await ada.route('**/v1/dm/threads/*/chat/**', async (route) => {
      const method = route.request().method();
      if (method === 'GET') return route.fallback();
      methods.push(method);
      const refused = await gate.promise;
      return refused === undefined ? route.continue() : route.fulfill({ status: 409, json: refused });
    });
    const release = (refused?: object) => gate.resolve(refused);
    return { release, methods };
  }

  it('shows an edit at once on a slow connection, and sends it once', async () => {
    await openChat();
    const { release, methods } = await holdChanges();
    await write(ada, 'I bring the cupps');
    await choose(ada, 'I bring the cupps', 'Edit');
    await input(ada).fill('I bring the cups');
    for (let times = 0; times < 2; times++) await input(ada).press('Enter');
    await messageOf(ada, 'I bring the cups').getByText('Sending').waitFor();
    await messageOf(ada, 'I bring the cups').getByText('Edited').waitFor();
    // The list of chats, beside it, too.
    await chatRow(ada).getByText('I bring the cups').waitFor();
    expect(await input(ada).inputValue()).toBe('');
    release();
    await messageOf(ben, 'I bring the cups').getByText('Edited').waitFor();
    await expect.poll(() => messageOf(ada, 'Sending').count()).toBe(0);
    expect(methods).toEqual(['PATCH']);
    await ada.unroute('**/v1/dm/threads/*/chat/**');
  });

  it('takes an edit and a deletion back when the service refuses them, and says why', async () => {
    await openChat();
    await write(ada, 'I bring the cups');
    for (const act of ['Edit', 'Delete']) {
      const { release } = await holdChanges();
      await choose(ada, 'I bring the cups', act);
      if (act === 'Edit') {
        await input(ada).fill('I bring no cups');
        await input(ada).press('Enter');
        await messageOf(ada, 'I bring no cups').waitFor();
      } else {
        await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
        await messageOf(ada, 'Message deleted').waitFor();
      }
      release({ error: { code: 'edit_closed', message: 'It is too late.' } });
      await ada.getByText(`Couldn’t ${act.toLowerCase()} the message. It is too late.`).waitFor();
      await messageOf(ada, 'I bring the cups').waitFor();
      expect(await messageOf(ada, /I bring no cups|Message deleted/).count()).toBe(0);
      await ada.unroute('**/v1/dm/threads/*/chat/**');
    }
  });

  it('shows a deletion at once on a slow connection', async () => {
    await openChat();
    await write(ada, 'I bring the cups');
    const { release, methods } = await holdChanges();
    await choose(ada, 'I bring the cups', 'Delete');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await messageOf(ada, 'Message deleted').waitFor();
    await chatRow(ada).getByText('Message deleted').waitFor();
    expect(await messageOf(ben, 'Message deleted').count()).toBe(0);
    release();
    await messageOf(ben, 'Message deleted').waitFor();
    expect(methods).toEqual(['DELETE']);
    await ada.unroute('**/v1/dm/threads/*/chat/**');
  });

  it('keeps the message that is replied to with the draft, when the chat is left and when the page is loaded again', async () => {
    await openChat();
    await write(ada, 'Which pier?');
    await choose(ada, 'Which pier?', 'Reply');
    await input(ada).fill('At nine it');
    await visit(ada, `${service.url}/app/people`);
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    const quote = ada.locator('.answering').getByText('Which pier?');
    await quote.waitFor();
    await ada.reload();
    await quote.waitFor();
    expect(await input(ada).inputValue()).toBe('At nine it');
    await ada.getByRole('button', { name: 'Cancel reply' }).click();
    await input(ada).fill('');
    await ada.reload();
    await messageOf(ada, 'Which pier?').waitFor();
    expect(await quote.count()).toBe(0);
  });
});
