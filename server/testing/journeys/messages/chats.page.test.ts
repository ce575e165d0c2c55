/** Chats in everyday use: long words, drafts, older messages, days, an unreliable network, and the chat of a group. */
import { beforeAll, expect, it } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { RealtimeStream } from '../../../../sdk/index.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, requestStreamGrant, signUp, type RunningPerson } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  networkQuiet,
  visit,
} from '../../browser/windows.ts';
import { chatLink, messageOf, writeMessage } from '../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

type ScrollPosition = { top: number; from_end: number };

describeUnlessMissing(missing_browser, 'chats of people and groups', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let olga: RunningPerson;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await createTag(ada, 'evenings');
  });

  const message = (page: Page) => page.getByLabel('Message', { exact: true });
  const scrollPosition = (page: Page): Promise<ScrollPosition> =>
    page.getByRole('log').evaluate((element) => {
      const box = element as unknown as { scrollTop: number; scrollHeight: number; clientHeight: number };
      return { top: box.scrollTop, from_end: box.scrollHeight - box.scrollTop - box.clientHeight };
    });

  const scrollTo = (page: Page, top: number) =>
    page.getByRole('log').evaluate((element, px) => Object.assign(element, { scrollTop: px }), top);

  it('shows the list beside the chat, and wraps a long word inside the window', async () => {
    await visit(ben, `${service.url}/app/t/evenings`);
    await ben.getByRole('button', { name: 'Message', exact: true }).click();
    await writeMessage(ben, `Look: ${'a'.repeat(400)} https://example.org/${'b'.repeat(300)}`);
    await ben.getByText('Your message is waiting.').waitFor();
    await visit(ada, `${service.url}/app/messages/requests`);
    await ada.getByRole('button', { name: 'Accept ben' }).click();
    await areaLink(ada, /^Chats/).click();
    await chatLink(ada, /^ben/).click();
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

  const tokenOf = async (page: Page) => ({
    token: String(await page.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)),
  });
  const reachable = (page: Page, name: string) => chatLink(page, new RegExp(`^${name} Online`));

  it('shows at once that a person is reachable, in the list and in the header of the chat', async () => {
    olga = await signUp(service, 'olga', '+14155550131');
    const as_ada = await tokenOf(ada);
    for (const [owner, follower] of [
      [olga, as_ada],
      [as_ada, olga],
    ] as const) {
      const { id } = await requestAs(service, owner, 'POST /xtags', { name: owner === olga ? 'choir' : 'mornings' });
      await requestAs(service, follower, `PUT /xtags/${id}/follow`, {});
    }
    const { id } = await requestAs(service, olga, 'POST /dm/threads', {
      user_id: (await requestAs(service, as_ada, 'GET /me')).id,
    });
    await requestAs(service, olga, `POST /dm/threads/${id}/chat`, { body: 'Do you sing?' });
    await chatLink(ada, /^olga/).click();
    await messageOf(ada, 'Do you sing?').waitFor();
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^olga/ });
    await head.getByText('@olga').waitFor();
    expect(await reachable(ada, 'olga').count()).toBe(0);
    const stream = new RealtimeStream({ createGrant: () => requestStreamGrant(service, olga.token) });
    await reachable(ada, 'olga').locator('.dot').waitFor();
    await head.getByText('Online').waitFor();
    expect(await inspectPage(ada, 'chat-reachable')).toEqual([]);
    // She is unreachable in half a minute, which the last test checks.
    stream.close();
    await chatLink(ada, /^ben/).click();
  });

  it('shows the day once, runs of one author, and one time at the end of a run', async () => {
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
    await message(ada).fill('Half a thou');
    await ada.reload();
    await expect.poll(() => message(ada).inputValue()).toBe('Half a thou');
    await message(ada).fill('');
    await ada.reload();
    await messageOf(ada, 'Three').waitFor();
    expect(await message(ada).inputValue()).toBe('');
  });

  it('says in the list who is typing, what is a draft, and what was read', async () => {
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
    await chatLink(ada, /^ben/).click();
  });

  it('keeps the position of a reader of older messages, and shows a button for new ones', async () => {
    for (let count = 0; count < 12; count += 1) await writeMessage(ada, `Verse ${count}\n\n\n\nand its end`);
    await messageOf(ben, 'Verse 11').waitFor();
    await expect.poll(async () => (await scrollPosition(ben)).from_end).toBeLessThan(4);
    // While the reader scrolls, the day of what they read is above it, unless it begins there.
    await scrollTo(ben, 900);
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

  /** A group of Olga's that people have joined. */
  const startGroup = async (name: string, members: [page: Page, number: string][]): Promise<{ id: string }> => {
    const group = await requestAs(service, olga, 'POST /groups', { name });
    for (const [page, number] of members) {
      const member = await tokenOf(page);
      await requestAs(service, member, 'PATCH /me', { reach: { find: 'everyone' } });
      const contact = await requestAs(service, olga, 'POST /contacts', { name: 'A friend', phones: [{ number }] });
      await requestAs(service, olga, `PUT /groups/${group.id}/members/${contact.id}`);
      const { items } = await requestAs(service, member, 'GET /group-invites');
      await requestAs(service, member, `POST /group-invites/${items[0].id}/accept`);
    }
    return group;
  };

  it('reads and replies in the chat of a group, with the unread count in the badge', async () => {
    const group = await startGroup('Choir', [[ada, '+14155550101']]);
    await areaLink(ada, /^Home$/).click();
    await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at eight' });
    await areaLink(ada, /^Chats 1 new message$/).click();
    expect(await inspectPage(ada, 'chats-list')).toEqual([]);
    await chatLink(ada, /^Choir .*Rehearsal at eight.*1 not read/).click();
    await messageOf(ada, /Unread messages.*Rehearsal at eight/s).waitFor();
    await areaLink(ada, /^Chats$/).waitFor();
    await ada.getByRole('button', { name: 'More about “Rehearsal at eight”' }).click();
    await ada.getByRole('menuitem', { name: 'Reply' }).click();
    await writeMessage(ada, 'I will be there');
    await messageOf(ada, /Rehearsal at eight.*I will be there/s).waitFor();
    // It is shown while it is being sent.
    const read = () => requestAs(service, olga, `GET /groups/${group.id}/chat`);
    await expect.poll(async () => (await read()).items[0].body).toBe('I will be there');
    const { items } = await read();
    expect(items[0].reply_to).toBe(items[1].id);
    // More than one page of messages is unread: those before them are loaded for the line above them.
    await areaLink(ada, /^Home$/).click();
    for (let at = 1; at <= 40; at++)
      await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: `Bar ${at}.` });
    await areaLink(ada, /^Chats 40 new messages$/).click();
    await chatLink(ada, /^Choir .*40 not read/).click();
    await messageOf(ada, /Unread messages.*Bar 1\./s).waitFor();
    await expect.poll(async () => (await messageOf(ada, 'Bar 1.').first().boundingBox())?.y ?? 0).toBeGreaterThan(0);
    expect((await messageOf(ada, 'Bar 1.').first().boundingBox())?.y).toBeLessThan(300);
    // Only what was in sight is read.
    const jump = ada.getByRole('button', { name: /^(?:1[5-9]|2\d|3[0-5]) new messages$/ });
    await jump.waitFor();
    await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at nine' });
    await jump.click();
    await messageOf(ada, 'Rehearsal at nine').waitFor();
    expect(await inspectPage(ada, 'group-chat')).toEqual([]);
    // Whoever writes is one press away, by the picture or the name.
    const { id: olga_id } = await requestAs(service, olga, 'GET /me');
    await messageOf(ada, 'Rehearsal at nine').locator('.msg-picture').click();
    await ada.waitForURL(`${service.url}/app/u/${olga_id}`);
    await ada.goBack();
    await messageOf(ada, 'Rehearsal at nine').waitFor();
    await requestAs(service, olga, `DELETE /groups/${group.id}`);
    await ada.getByText('This chat is closed').waitFor();
  });

  it('completes the names of members in the chat of a group, and links them', async () => {
    const group = await startGroup('Crew', [
      [ada, '+14155550101'],
      [ben, '+14155550102'],
    ]);
    await requestAs(service, olga, 'PATCH /me', { display_name: 'Olga Berg' });
    await visit(ada, `${service.url}/app/messages/group/${group.id}`);
    await message(ada).waitFor();
    const asked: string[] = [];
    ada.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const options = ada.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await message(ada).pressSequentially('Who has the keys, @');
    // The members, without the reader.
    await expect.poll(async () => (await options.allTextContents()).sort()).toEqual(['OOlga Berg@olga', 'bben']);
    await message(ada).pressSequentially('ben');
    await expect.poll(() => options.count()).toBe(1);
    const field = ada.getByRole('combobox', { name: 'Message', expanded: true });
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    expect(await inspectPage(ada, 'group-suggestions')).toEqual([]);
    await ada.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    expect(await message(ada).inputValue()).toBe('Who has the keys, @ben');
    for (let at = 0; at < 4; at++) await ada.keyboard.press('Backspace');
    await ada.keyboard.type('@berg');
    await options.filter({ hasText: 'Olga Berg' }).waitFor();
    await ada.keyboard.press('Enter');
    expect(await message(ada).inputValue()).toBe('Who has the keys, @olga ');
    await ada.keyboard.type('or *even');
    expect(await options.count()).toBe(0);
    expect(asked.filter((path) => /^\/v1\/(?:xtags\/search|contacts)/.test(path))).toEqual([]);
    ada.removeAllListeners('request');
    await ada.keyboard.press('Enter');
    const link = messageOf(ada, 'Who has the keys').getByRole('link', { name: '@olga' });
    expect(await link.getAttribute('href')).toBe(`/app/u/${(await requestAs(service, olga, 'GET /me')).id}`);
    expect(await link.getAttribute('class')).toBe('mention');
    const [note] = (await requestAs(service, olga, 'GET /notifications')).items;
    expect(note).toMatchObject({ kind: 'group_mention', text: 'ada mentioned you in Crew' });
  });

  it('marks a chat in which the reader is mentioned, also a muted one, and the mention itself', async () => {
    const as_ada = await tokenOf(ada);
    const { items } = await requestAs(service, as_ada, 'GET /groups');
    const { id } = items.find((group: { name: string }) => group.name === 'Crew');
    await requestAs(service, as_ada, `PATCH /groups/${id}/chat/settings`, { muted_until: '9999-12-31T23:59:59Z' });
    await areaLink(ada, /^Home$/).click();
    const sent = await requestAs(service, olga, `POST /groups/${id}/chat`, { body: '@ada, you have them.' });
    await requestAs(service, olga, `POST /groups/${id}/chat`, { body: 'Look in your bag.' });
    // The chat is muted, so that it is not counted.
    await areaLink(ada, /^Chats$/).click();
    const row = chatLink(ada, /^Crew Muted .*Look in your bag\..*1 mention of you.*2 not read/);
    await row.waitFor();
    expect(await inspectPage(ada, 'chats-mention')).toEqual([]);
    await visit(ada, `${service.url}/app/notifications`);
    await ada.getByRole('link', { name: 'Olga Berg mentioned you in Crew' }).click();
    await ada.waitForURL(`${service.url}/app/messages/group/${id}?at=${sent.id}`);
    const mention = messageOf(ada, 'you have them').getByRole('link', { name: '@ada' });
    expect(await mention.getAttribute('class')).toBe('mention own');
    expect(await inspectPage(ada, 'group-mention')).toEqual([]);
    await messageOf(ada, 'you have them').getByRole('link', { name: 'Olga Berg' }).click();
    await ada.waitForURL(`${service.url}/app/u/${(await requestAs(service, olga, 'GET /me')).id}`);
    await ada.goBack();
    await messageOf(ada, 'you have them').waitFor();
    await chatLink(ada, /^Crew Muted .*Look in your bag\.$/).waitFor();
    await visit(ben, `${service.url}/app/messages/group/${id}`);
    await messageOf(ben, 'you have them').getByRole('link', { name: '@ada' }).waitFor();
    expect(await messageOf(ben, 'you have them').locator('.mention.own').count()).toBe(0);
    expect(await inspectPage(ben, 'group-mention-phone')).toEqual([]);
    // An edit that removes the name removes the link.
    await requestAs(service, olga, `PATCH /groups/${id}/chat/${sent.id}`, { body: 'You have them, ada.' });
    await messageOf(ada, 'You have them, ada.').waitFor();
    expect(await messageOf(ada, 'You have them, ada.').locator('.rich-text').getByRole('link').count()).toBe(0);
    await requestAs(service, olga, `DELETE /groups/${id}`);
    await ada.getByText('This chat is closed').waitFor();
  });

  it('reads its lists once, and shows what was sent before its stream is connected', async () => {
    const { items } = await requestAs(service, await tokenOf(ada), 'GET /dm/threads');
    const thread_id = (items as { id: string; peer: { username: string } }[]).find(
      ({ peer }) => peer.username === 'ben',
    )?.id;
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
    await requestAs(service, await tokenOf(ada), `POST /dm/threads/${thread_id}/chat`, { body: 'Before the stream' });
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
    // Their new name is in the list once it is read again.
    await ada.reload();
    await chatLink(ada, /^Olga Berg/).click();
    await reachable(ada, 'Olga Berg').waitFor({ state: 'detached', timeout: 40_000 });
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^Olga Berg/ });
    await head.getByText(/^Last seen: Today, \d/).waitFor();
  });
});
