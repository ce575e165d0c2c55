/** Chats in everyday use: long words, who is reachable, drafts, older messages, days, and an unreliable network. */
import { beforeAll, expect, it } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { RealtimeStream } from '../../../../sdk/index.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, requestStreamGrant, signUp, type RunningPerson } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  networkQuiet,
  sessionOf,
  visit,
} from '../../browser/windows.ts';
import { chatLink, messageOf, openEmptiedThread, openThread, writeMessage } from '../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

type ScrollPosition = { top: number; from_end: number };

describeUnlessMissing(missing_browser, 'chats of people', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let olga: RunningPerson;
  let thread_id: string;
  const windows = useBrowserWindows();
  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
    olga = await befriend('olga', '+14155550131', 'Do you sing?');
    // In half a minute she is unreachable, which the last test waits for.
    const nora = await befriend('nora', '+14155550132', 'I have to go');
    await visit(ada, `${service.url}/app/messages`);
    const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(service, nora.token) });
    await reachable(ada, 'nora').waitFor();
    stream.close();
  });
  /** Someone whom ada and they follow each other, so that they see when the other is reachable, with a message to her. */
  async function befriend(name: string, mobile_number: string, body: string): Promise<RunningPerson> {
    const person = await signUp(service, name, mobile_number);
    const as_ada = await sessionOf(ada);
    for (const [owner, follower] of [
      [person, as_ada],
      [as_ada, person],
    ] as const) {
      const { id } = await requestAs(service, owner, 'POST /xtags', {
        name: `${owner === person ? 'of' : 'for'}-${name}`,
      });
      await requestAs(service, follower, `PUT /xtags/${id}/follow`, {});
    }
    const { id } = await requestAs(service, person, 'POST /dm/threads', { user_id: (await as(ada, 'GET /me')).id });
    await requestAs(service, person, `POST /dm/threads/${id}/chat`, { body });
    return person;
  }
  /** The chat of both people, open in both windows, with a last message of ada's that ben has read. */
  async function openChat(last: string): Promise<void> {
    await as(ada, `POST /dm/threads/${thread_id}/chat`, { body: last });
    for (const page of [ada, ben]) {
      await visit(page, `${service.url}/app/messages/${thread_id}`);
      await messageOf(page, last).waitFor();
    }
    await messageOf(ada, new RegExp(`${last}.*Read`, 's')).waitFor();
  }
  /** The same chat, without what was written in it before. */
  async function openEmptiedChat(last: string): Promise<void> {
    await openEmptiedThread(service, ada, ben, thread_id, last);
    await messageOf(ada, new RegExp(`${last}.*Read`, 's')).waitFor();
  }

  const message = (page: Page) => page.getByLabel('Message', { exact: true });
  const scrollPosition = (page: Page): Promise<ScrollPosition> =>
    page.getByRole('log').evaluate((element) => {
      const box = element as unknown as { scrollTop: number; scrollHeight: number; clientHeight: number };
      return { top: box.scrollTop, from_end: box.scrollHeight - box.scrollTop - box.clientHeight };
    });

  const scrollTo = (page: Page, top: number) =>
    page.getByRole('log').evaluate((element, px) => Object.assign(element, { scrollTop: px }), top);

  it('shows the list beside the chat, and wraps a long word inside the window', async () => {
    await openChat('May I show you a word');
    await writeMessage(ben, `Look: ${'a'.repeat(400)} https://example.org/${'b'.repeat(300)}`);
    await messageOf(ada, 'Look: aaa').waitFor();
    await chatLink(ada, /^ben/).waitFor();
    expect(await inspectPage(ada, 'chat-long-word')).toEqual([]);
    await messageOf(ben, 'Look: aaa').waitFor();
    expect(await inspectPage(ben, 'chat-long-word-phone')).toEqual([]);
    // A placeholder that is longer than the message field does not enlarge the field.
    const box = ben.getByRole('textbox', { name: 'Message', exact: true });
    await box.evaluate((field: { placeholder: string }) => {
      field.placeholder = `Message ${'Donaudampfschiff'.repeat(6)}`;
    });
    expect((await box.boundingBox())?.height).toBeLessThan(48);
  });

  const reachable = (page: Page, name: string) => chatLink(page, new RegExp(`^${name} Online`));

  it('shows at once that a person is reachable, in the list and in the header of the chat', async () => {
    await visit(ada, `${service.url}/app/messages`);
    await chatLink(ada, /^olga/).click();
    await messageOf(ada, 'Do you sing?').waitFor();
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^olga/ });
    await head.getByText('@olga').waitFor();
    expect(await reachable(ada, 'olga').count()).toBe(0);
    const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(service, olga.token) });
    await reachable(ada, 'olga').locator('.dot').waitFor();
    await head.getByText('Online').waitFor();
    expect(await inspectPage(ada, 'chat-reachable')).toEqual([]);
    stream.close();
  });

  it('shows the day once, runs of one author, and one time at the end of a run', async () => {
    await openEmptiedChat('I count');
    for (const text of ['One', 'Two', 'Three']) {
      await writeMessage(ada, text);
      await messageOf(ben, text).waitFor();
    }
    expect(await ben.getByRole('log').getByText('Today', { exact: true }).count()).toBe(1);
    expect(await messageOf(ben, 'One').locator('time').count()).toBe(0);
    expect(await messageOf(ben, 'Three').locator('time').count()).toBe(1);
    expect(await inspectPage(ben, 'chat-runs')).toEqual([]);
  });

  it('restores the draft of each chat after a reload', async () => {
    await openChat('Which city');
    await message(ada).fill('Half a thou');
    await ada.reload();
    await expect.poll(() => message(ada).inputValue()).toBe('Half a thou');
    await message(ada).fill('');
    await ada.reload();
    await messageOf(ada, 'Which city').waitFor();
    expect(await message(ada).inputValue()).toBe('');
  });

  it('says in the list who is typing, what is a draft, and what was read', async () => {
    await openEmptiedChat('Three');
    await message(ben).fill('Half a tho');
    expect(await chatLink(ada, /Draft/).count()).toBe(0);
    await ben.getByRole('link', { name: 'Back to your chats' }).click();
    await chatLink(ben, /^ada .*Draft: ?Half a tho/).waitFor();
    expect(await inspectPage(ben, 'chats-draft')).toEqual([]);
    await chatLink(ada, /^ben .*(?:Sent|Delivered|Read) ?You: ?Three/).waitFor();
    await message(ada).pressSequentially('Fo');
    await chatLink(ben, /^ada .*typing…/).waitFor();
    await message(ada).fill('');
    await writeMessage(ada, 'Four');
    await chatLink(ben, /^ada .*Four.*1 not read/).click();
    await chatLink(ada, /^ben .*Read ?You: ?Four/).waitFor();
    expect(await message(ben).inputValue()).toBe('Half a tho');
    await message(ben).fill('');
  });

  it('moves a chat to the top of the list as soon as something is written, before it is sent', async () => {
    await openChat('First in the list');
    const first = () => chatLink(ada, /^(?:ben|olga) /).first();
    await first().filter({ hasText: 'ben' }).waitFor();
    await chatLink(ada, /^olga/).click();
    await messageOf(ada, 'Do you sing?').waitFor();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const posts = '**/v1/dm/threads/*/chat';
    await ada.route(posts, async (route) => {
      if (route.request().method() === 'POST') await release;
      await route.continue();
    });
    await writeMessage(ada, 'Only in the bath');
    await first().filter({ hasText: 'Only in the bath' }).waitFor();
    resolve();
    await expect.poll(() => messageOf(ada, 'Sending').count()).toBe(0);
    await ada.unroute(posts);
  });

  it('keeps the position of a reader of older messages, and shows a button for new ones', async () => {
    await openEmptiedChat('Here is the song');
    for (let count = 0; count < 12; count += 1) await writeMessage(ada, `Verse ${count}\n\n\n\nand its end`);
    await messageOf(ben, 'Verse 11').waitFor();
    await expect.poll(async () => (await scrollPosition(ben)).from_end).toBeLessThan(4);
    // While the reader scrolls, the day of what they read is above it, unless it begins there.
    await scrollTo(ben, 400);
    await ben.locator('.day-above', { hasText: 'Today' }).waitFor({ state: 'attached' });
    await scrollTo(ben, 40);
    await expect.poll(async () => (await scrollPosition(ben)).top).toBe(40);
    await writeMessage(ada, 'Something new');
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).waitFor();
    expect((await scrollPosition(ben)).top).toBe(40);
    expect(await inspectPage(ben, 'chat-new-messages')).toEqual([]);
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).click();
    await expect.poll(async () => (await scrollPosition(ben)).from_end).toBeLessThan(4);
    expect(await ben.getByRole('button', { name: /^\d+ new messages?$/ }).count()).toBe(0);
    await writeMessage(ada, 'And more');
    await messageOf(ben, 'And more').waitFor();
    await expect.poll(async () => (await scrollPosition(ben)).from_end).toBeLessThan(4);
  });

  it('sends a message that was written offline once the network is back, only once, also after a reload', async () => {
    await openChat('On which train');
    const posts = '**/v1/dm/threads/*/chat';
    const keys: string[] = [];
    await ben.route(posts, async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key'] ?? '');
      // The request arrives, and its reply is lost.
      await route.fetch();
      return route.abort();
    });
    await writeMessage(ben, 'From the train');
    await messageOf(ben, /From the train.*Not sent yet/s).waitFor({ timeout: 40_000 });
    await ben.unroute(posts);
    ben.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/chat'))
        keys.push(request.headers()['idempotency-key'] ?? '');
    });
    await ben.reload();
    await messageOf(ada, 'From the train').waitFor();
    await expect.poll(() => messageOf(ben, 'Not sent yet').count()).toBe(0);
    // While the repeat is in progress, the message of the first request may be shown beside it.
    const counts = async () => Promise.all([ada, ben].map((page) => messageOf(page, 'From the train').count()));
    await expect.poll(counts).toEqual([1, 1]);
    expect(new Set(keys).size).toBe(1);
  });

  it('does not send a discarded message', async () => {
    await openChat('What do you think');
    const posts = '**/v1/dm/threads/*/chat';
    await ben.route(posts, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await writeMessage(ben, 'Better not');
    await messageOf(ben, /Better not.*Not sent yet/s).waitFor({ timeout: 40_000 });
    expect(await inspectPage(ben, 'chat-unsent')).toEqual([]);
    await ben.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => messageOf(ben, 'Better not').count()).toBe(0);
    await ben.unroute(posts);
    await ben.reload();
    await writeMessage(ben, 'This one');
    await messageOf(ada, 'This one').waitFor();
    expect(await messageOf(ada, 'Better not').count()).toBe(0);
  });

  it('reads its lists once, and shows what was sent before its stream is connected', async () => {
    // The previous page with its stream is gone.
    await ben.goto('about:blank');
    const requests: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      requests.push(pathname + search);
    };
    ben.on('request', note);
    const { promise: release, resolve } = Promise.withResolvers<void>();
    await ben.route('**/v1/realtime/grant', async (route) => {
      await release;
      await route.continue();
    });
    await ben.goto(`${service.url}/app/messages`);
    const row = chatLink(ben, /^ada/);
    await row.waitFor();
    await as(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Before the stream' });
    // Nothing has notified the page yet.
    expect(await row.filter({ hasText: 'Before the stream' }).count()).toBe(0);
    resolve();
    await row.filter({ hasText: 'Before the stream' }).waitFor();
    await networkQuiet(ben);
    // Not the archive, which the chat may have left, and which is read again.
    for (const path of [
      '/v1/dm/threads?folder=main',
      '/v1/home/group-chat?limit=100',
      '/v1/widgets?limit=100',
      '/v1/home',
    ])
      expect([path, requests.filter((one) => one === path).length]).toEqual([path, 1]);
    ben.off('request', note);
    await ben.unroute('**/v1/realtime/grant');
  });

  it('shows at once that a person is no longer reachable', async () => {
    await ada.goto(`${service.url}/app/messages`);
    await chatLink(ada, /^nora/).click();
    await reachable(ada, 'nora').waitFor({ state: 'detached', timeout: 40_000 });
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^nora/ });
    await head.getByText(/^Last seen: Today, \d/).waitFor();
  });
});
