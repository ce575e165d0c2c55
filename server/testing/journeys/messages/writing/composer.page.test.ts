/** Writing as people do: files are pasted and dropped, texts formatted, and names completed. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../../browser/page-checks.ts';
import { requestAs, signUp as signUpByApi } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  clearCachedData,
  composeStatus,
  missing_browser,
  openTouchPhone,
  openTwoPeople,
  useBrowserWindows,
  waitForHome,
  sessionOf,
  visit,
} from '../../../browser/windows.ts';

/** A picture of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeUnlessMissing(missing_browser, 'the composers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await asPage(ben, 'PATCH /me', { display_name: 'Ben Okafor' });
    await asPage(ben, 'POST /xtags', { name: 'jazz', title: 'Jazz at the pier' });
    thread_id = await openThread(service, ada, ben);
  });

  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  const idOf = async (page: Page) => (await service.call('GET /me', await sessionOf(page))).body.id as string;
  const input = (page: Page) => page.getByLabel('Message', { exact: true });
  const messageOf = (page: Page, text: string | RegExp) =>
    page.getByRole('log').getByRole('listitem').filter({ hasText: text }).first();
  const zone = (page: Page) => page.locator('.drop-zone:not([hidden])');
  async function openChat(page: Page): Promise<void> {
    await visit(page, `${service.url}/app/messages/${thread_id}`);
    await messageOf(page, 'The pier at nine?').waitFor();
    await input(page).waitFor();
  }

  /** Fires events of a transfer at an element, as the browser does for files and text from elsewhere. */
  const transfer = (page: Page, at: string, types: string[], { files = 0, bytes = 0, text = '', html = '' }) =>
    page.evaluate(`(() => {
      const data = new DataTransfer();
      const pixel = Uint8Array.from(atob('${pixel}'), (letter) => letter.charCodeAt(0));
      for (let at = 1; at <= ${files}; at++)
        data.items.add(new File([${bytes} > 0 ? new Uint8Array(${bytes}) : pixel], 'picture ' + at + '.png', { type: 'image/png' }));
      if (${JSON.stringify(text)}) data.setData('text/plain', ${JSON.stringify(text)});
      if (${JSON.stringify(html)}) data.setData('text/html', ${JSON.stringify(html)});
      const target = document.querySelector(${JSON.stringify(at)});
      return ${JSON.stringify(types)}.map((type) => {
        const options = { bubbles: true, cancelable: true };
        return !target.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent(type, { ...options, clipboardData: data })
            : new DragEvent(type, { ...options, dataTransfer: data }),
        );
      });
    })()`) as Promise<boolean[]>;
  const paste = (page: Page, at: string, what: Parameters<typeof transfer>[3]) => transfer(page, at, ['paste'], what);
  const drop = (page: Page, at: string, what: Parameters<typeof transfer>[3]) =>
    transfer(page, at, ['dragenter', 'dragover', 'drop'], what);
  const removers = (page: Page) => page.getByRole('button', { name: /^Remove picture/ });

  it('attaches a pasted picture, and sends it with the text', async () => {
    await openChat(ada);
    await input(ada).fill('A screenshot');
    expect(await paste(ada, 'textarea.text-line', { files: 1 })).toEqual([true]);
    await ada.getByRole('button', { name: 'Remove picture 1.png' }).waitFor();
    expect(await input(ada).inputValue()).toBe('A screenshot');
    await expect.poll(() => ada.getByLabel('Sending picture 1.png').count()).toBe(0);
    await input(ada).press('Enter');
    await messageOf(ada, 'A screenshot').getByRole('img').waitFor();
    await expect.poll(() => removers(ada).count()).toBe(0);
  });

  it('leaves pasted text alone, also with a picture of it, as office programs add', async () => {
    await openChat(ada);
    expect(await paste(ada, 'textarea.text-line', { text: 'Plain' })).toEqual([false]);
    expect(await paste(ada, 'textarea.text-line', { files: 1, text: 'A1', html: '<td>A1</td>' })).toEqual([false]);
    expect(await removers(ada).count()).toBe(0);
  });

  it('formats what is selected by keys, and shows it formatted, with tags as links', async () => {
    await openChat(ada);
    await input(ada).fill('Tonight at *jazz, **not** at _nine_: `npm start`');
    await ada.evaluate(`document.querySelector('textarea.text-line').setSelectionRange(0, 7)`);
    await input(ada).press('Control+b');
    expect(await input(ada).inputValue()).toMatch(/^\*\*Tonight\*\* at/);
    await input(ada).press('Control+b');
    expect(await input(ada).inputValue()).toMatch(/^Tonight at/);
    await input(ada).press('Control+Shift+x');
    await input(ada).press('Enter');
    for (const page of [ada, ben]) {
      if (page === ben) await openChat(ben);
      const bubble = messageOf(page, 'Tonight at *jazz, not at nine: npm start');
      expect(await bubble.locator('s, strong, em, code').allTextContents()).toEqual([
        'Tonight',
        'not',
        'nine',
        'npm start',
      ]);
      expect(await bubble.getByRole('link', { name: '*jazz' }).getAttribute('href')).toBe('/app/t/jazz');
      expect(await inspectPage(page, 'chat-formatted')).toEqual([]);
    }
    await ada.getByRole('region', { name: 'Chats' }).getByText('Tonight at *jazz, not at nine: npm start').waitFor();
  });

  it('shows where files can be dropped, and attaches them', async () => {
    await openChat(ada);
    await transfer(ada, '.talk', ['dragenter', 'dragover'], { files: 1 });
    await zone(ada).getByText('Drop files to send to Ben Okafor').waitFor();
    expect(await inspectPage(ada, 'chat-drop')).toEqual([]);
    await transfer(ada, '.talk', ['dragleave'], { files: 1 });
    await zone(ada).waitFor({ state: 'detached' });
    expect(await drop(ada, '.talk', { files: 2 })).toEqual([true, true, true]);
    await expect.poll(() => removers(ada).count()).toBe(2);
    expect(await zone(ada).count()).toBe(0);
    expect((await focusedElement(ada)).name).toBe('Message');
    for (const name of ['picture 1.png', 'picture 2.png'])
      await ada.getByRole('button', { name: `Remove ${name}` }).click();
  });

  it('reports too many and too large files as after choosing them', async () => {
    await openChat(ada);
    await drop(ada, '.talk', { files: 11 });
    await ada.getByText('Only 10 more files can be attached.').waitFor();
    await expect.poll(() => removers(ada).count()).toBe(10);
    await paste(ada, 'textarea.text-line', { files: 1 });
    await ada.getByText('No more files can be attached.').waitFor();
    while ((await removers(ada).count()) > 0) await removers(ada).first().click();
    await drop(ada, '.talk', { files: 1, bytes: 25 * 1024 * 1024 + 1 });
    await ada.getByText('It is larger than 25 MB.').waitFor();
    await removers(ada).first().click();
  });

  it('takes no files while a message is edited, and does not leave the page for them', async () => {
    await openChat(ada);
    await input(ada).fill('');
    await input(ada).press('ArrowUp');
    await ada.getByRole('button', { name: 'Cancel editing' }).waitFor();
    await transfer(ada, '.talk', ['dragenter', 'dragover'], { files: 1 });
    expect(await zone(ada).count()).toBe(0);
    // The drop is taken from the browser, which would open the file.
    expect(await drop(ada, '.talk', { files: 1 })).toEqual([false, true, true]);
    await paste(ada, 'textarea.text-line', { files: 1 });
    expect(await removers(ada).count()).toBe(0);
    await ada.getByRole('button', { name: 'Cancel editing' }).click();
  });

  it('takes no files in a message request', async () => {
    const cleo = await signUpByApi(service, 'cleo', '+14155550103');
    const { id } = await asPage(ada, 'POST /dm/threads', { user_id: cleo.id });
    await ada.goto(`${service.url}/app/messages/${id}`);
    await ada.getByText('without files, until it is answered').waitFor();
    expect(await drop(ada, '.talk', { files: 1 })).toEqual([false, true, true]);
    expect(await paste(ada, 'textarea.text-line', { files: 1 })).toEqual([false]);
    expect(await removers(ada).count()).toBe(0);
    expect(await zone(ada).count()).toBe(0);
  });

  it('ignores what is dragged from the page itself, such as a picture of the chat', async () => {
    await openChat(ada);
    await transfer(ada, '.talk', ['dragstart', 'dragenter', 'dragover'], { files: 1 });
    expect(await zone(ada).count()).toBe(0);
    await transfer(ada, '.talk', ['dragend'], {});
    await transfer(ada, '.talk', ['dragenter'], { files: 1 });
    await zone(ada).waitFor();
    await transfer(ada, '.talk', ['dragleave'], { files: 1 });
  });

  it('keeps the keyboard of a phone open after sending, where Enter starts a new line', async () => {
    const phone = await openTouchPhone(windows, service, ben);
    await openChat(phone);
    const focused = async () => (await focusedElement(phone)).name;
    const field = phone.getByRole('textbox', { name: 'Message' });
    const send = phone.getByRole('button', { name: 'Send', exact: true });
    await field.tap();
    await phone.keyboard.type('First line');
    await phone.keyboard.press('Enter');
    await phone.keyboard.type('second line');
    expect(await field.inputValue()).toBe('First line\nsecond line');
    await send.tap();
    await messageOf(phone, 'second line').waitFor();
    expect(await focused()).toBe('Message');
    await phone.keyboard.type('Third line');
    await send.focus();
    await phone.keyboard.press('Enter');
    await messageOf(phone, 'Third line').waitFor();
    expect(await focused()).toBe('Message');
    // A keyboard that is closed stays closed.
    await field.fill('Fourth line');
    await field.blur();
    await send.tap();
    await messageOf(phone, 'Fourth line').waitFor();
    expect(await focused()).not.toBe('Message');
    await phone.context().close();
  });

  const post = (page: Page) => page.getByLabel('What is new?');
  const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

  /** Opens the home page of ada and, there, the empty composer of posts. */
  async function openComposer(): Promise<void> {
    await visit(ada, `${service.url}/app/`);
    await waitForHome(ada);
    await composeStatus(ada);
    await post(ada).fill('');
  }

  it('completes names in a post: known ones without a request, then those that the service finds', async () => {
    const asked: string[] = [];
    // Loaded again, the page knows no tags.
    await ada.goto(`${service.url}/app/`);
    await openComposer();
    expect((await focusedElement(ada)).name).toBe('What is new?');
    ada.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    await post(ada).pressSequentially('Tonight with *');
    expect(await options(ada).count()).toBe(0);
    expect(asked.filter((path) => /^\/v1\/(xtags\/search|contacts)/.test(path))).toEqual([]);
    await post(ada).pressSequentially('ja');
    await options(ada).filter({ hasText: '*jazz' }).waitFor();
    expect(asked.filter((path) => path.includes('/xtags/search')).at(-1)).toContain('q=ja');
    expect(await inspectPage(ada, 'post-suggestions')).toEqual([]);
    const field = ada.getByRole('combobox', { name: 'What is new?', expanded: true });
    const active = await field.getAttribute('aria-activedescendant');
    expect(await options(ada).first().getAttribute('id')).toBe(active);
    expect(await options(ada).first().getAttribute('aria-selected')).toBe('true');
    const colour = await ada.evaluate(
      `getComputedStyle(document.querySelector('[role=option][aria-selected=true]')).backgroundColor`,
    );
    expect(colour).not.toBe('rgba(0, 0, 0, 0)');
    await ada.keyboard.press('Enter');
    expect(await post(ada).inputValue()).toBe('Tonight with *jazz ');
    await options(ada).first().waitFor({ state: 'detached' });
    ada.removeAllListeners('request');
  });

  it('selects with the arrow keys, and closes with Escape without closing the sheet', async () => {
    // A page that has not read the chats offers their people, too.
    await clearCachedData(ada, service);
    await openComposer();
    await post(ada).pressSequentially('Hello @be');
    await options(ada).filter({ hasText: '@ben' }).waitFor();
    await ada.keyboard.press('Escape');
    await options(ada).first().waitFor({ state: 'detached' });
    // It stays closed for this name, and the next one is completed again.
    await ada.keyboard.type('n');
    expect(await options(ada).count()).toBe(0);
    await ada.keyboard.type(' and @b');
    await options(ada).filter({ hasText: '@ben' }).waitFor();
    await ada.keyboard.press('ArrowUp');
    await ada.keyboard.press('Tab');
    expect(await post(ada).inputValue()).toBe('Hello @ben and @ben ');
    await drop(ada, '.compose textarea', { files: 1 });
    await ada.getByRole('button', { name: 'Remove picture 1.png' }).click();
    await ada.getByRole('button', { name: 'Post', exact: true }).click();
    const posted = ada.getByRole('article').filter({ hasText: 'Hello @ben and @ben' });
    await posted.getByRole('link', { name: '@ben' }).first().waitFor();
  });

  it('completes names in replies by a tap, and sends with Ctrl+Enter while the list is open', async () => {
    const { id } = await asPage(ada, 'POST /statuses', { body: 'Who comes to the pier?' });
    await ben.goto(`${service.url}/app/u/${await idOf(ada)}`);
    await ben.goto(`${service.url}/app/status/${id}`);
    const reply = ben.getByLabel('Reply to ada');
    await reply.pressSequentially('Yes, @a');
    await options(ben).filter({ hasText: 'ada' }).click();
    expect(await reply.inputValue()).toBe('Yes, @ada ');
    await reply.pressSequentially('in *ja');
    await options(ben).filter({ hasText: '*jazz' }).waitFor();
    await ben.keyboard.press('Control+Enter');
    await ben.getByText('in *ja').waitFor();
    await ben.getByRole('link', { name: '@ada' }).waitFor();
    await options(ben).first().waitFor({ state: 'detached' });
  });

  it('completes names in comments and in an edited post', async () => {
    await asPage(ada, 'POST /statuses', { body: 'Good evening, @ben' });
    await ada.goto(`${service.url}/app/t/jazz`);
    await ada.getByLabel('Your comment').pressSequentially('Will @be');
    await options(ada).filter({ hasText: 'Ben Okafor' }).waitFor();
    await ada.keyboard.press('Enter');
    expect(await ada.getByLabel('Your comment').inputValue()).toBe('Will @ben ');
    await ada.goto(`${service.url}/app/`);
    const status = ada.getByRole('article').filter({ hasText: 'Good evening, @ben' });
    await status.getByRole('button', { name: 'More about this post by ada' }).click();
    await ada.getByRole('menuitem', { name: 'Edit' }).click();
    const edited = ada.getByLabel('Your post');
    await edited.press('Control+End');
    await edited.pressSequentially(' *ja');
    await options(ada).filter({ hasText: '*jazz' }).waitFor();
    // Escape closes the list first, and only then ends the edit.
    await ada.keyboard.press('Escape');
    await options(ada).first().waitFor({ state: 'detached' });
    expect(await edited.inputValue()).toBe('Good evening, @ben *ja');
    await ada.keyboard.press('Escape');
    await edited.waitFor({ state: 'detached' });
  });
});
