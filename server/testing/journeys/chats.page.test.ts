/** Chats as people use them: long words, drafts, older messages, days, a line that breaks, and the chat of a group. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { RealtimeStream } from '../../../sdk/index.ts';
import { inspectPage } from '../page-checks.ts';
import { ask, grantAt, signUp, type RunningPerson } from '../running-people.ts';
import { type Service } from '../running-service.ts';
import { areaLink, keepWindows, makeTag, meet, missing_browser } from '../windows.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

type Scrolled = { top: number; from_end: number };

describeUnlessMissing(missing_browser, 'chats of people and groups', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let olga: RunningPerson;
  const windows = keepWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await meet(windows, { ada: 'desk', ben: 'phone' }));
    for (const page of [ada, ben]) page.setDefaultTimeout(10_000);
    await makeTag(ada, 'evenings');
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const message = (page: Page) => page.getByLabel('Message', { exact: true });
  const write = async (page: Page, words: string) => {
    await message(page).fill(words);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const lineOf = (page: Page, words: string | RegExp) =>
    page.getByRole('log').getByRole('listitem').filter({ hasText: words });
  const chatLink = (page: Page, name: RegExp) =>
    page.getByRole('region', { name: 'Chats' }).getByRole('link', { name });
  const scrolled = (page: Page): Promise<Scrolled> =>
    page.getByRole('log').evaluate((element) => {
      const box = element as unknown as { scrollTop: number; scrollHeight: number; clientHeight: number };
      return { top: box.scrollTop, from_end: box.scrollHeight - box.scrollTop - box.clientHeight };
    });

  it('keeps the list beside the chat, and a long word inside the screen', async () => {
    await ben.goto(`${service.url}/app/t/evenings`);
    await ben.getByRole('button', { name: 'Message', exact: true }).click();
    await write(ben, `Look: ${'a'.repeat(400)} https://example.org/${'b'.repeat(300)}`);
    await ben.getByText('Your message is waiting.').waitFor();
    await ada.goto(`${service.url}/app/messages/requests`);
    await ada.getByRole('button', { name: 'Accept ben' }).click();
    await areaLink(ada, /^Chats/).click();
    await chatLink(ada, /^ben/).click();
    await lineOf(ada, 'Look: aaa').waitFor();
    await chatLink(ada, /^ben/).waitFor();
    expect(await inspectPage(ada, 'chat-long-word')).toEqual([]);
    await lineOf(ben, 'Look: aaa').waitFor();
    expect(await inspectPage(ben, 'chat-long-word-phone')).toEqual([]);
    // A name that is longer than the line in which one writes to it does not make that higher.
    const box = ben.getByRole('textbox', { name: 'Message', exact: true });
    await box.evaluate((line: { placeholder: string }) => {
      line.placeholder = `Write to ${'Donaudampfschiff'.repeat(6)}`;
    });
    expect((await box.boundingBox())?.height).toBeLessThan(48);
  });

  const tokenOf = async (page: Page) => ({
    token: String(await page.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)),
  });
  const reachable = (page: Page, name: string) => chatLink(page, new RegExp(`^${name} Reachable now`));

  it('shows at once that somebody can be reached, in the list and at the head of the chat', async () => {
    olga = await signUp(service, 'olga', '+14155550131');
    const as_ada = await tokenOf(ada);
    for (const [owner, follower] of [
      [olga, as_ada],
      [as_ada, olga],
    ] as const) {
      const { id } = await ask(service, owner, 'POST /xtags', { name: owner === olga ? 'choir' : 'mornings' });
      await ask(service, follower, `PUT /xtags/${id}/follow`, {});
    }
    const { id } = await ask(service, olga, 'POST /dm/threads', {
      user_id: (await ask(service, as_ada, 'GET /me')).id,
    });
    await ask(service, olga, `POST /dm/threads/${id}/chat`, { body: 'Do you sing?' });
    await chatLink(ada, /^olga/).click();
    await lineOf(ada, 'Do you sing?').waitFor();
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^olga/ });
    await head.getByText('@olga').waitFor();
    expect(await reachable(ada, 'olga').count()).toBe(0);
    const stream = new RealtimeStream({ createGrant: () => grantAt(service, olga.token) });
    await reachable(ada, 'olga').locator('.dot').waitFor();
    await head.getByText('Reachable now').waitFor();
    expect(await inspectPage(ada, 'chat-reachable')).toEqual([]);
    // Half a minute from now she is gone, which the last test looks at.
    stream.close();
    await chatLink(ada, /^ben/).click();
  });

  it('shows the day once, runs of one writer, and one time at the end of a run', async () => {
    for (const words of ['One', 'Two', 'Three']) {
      await write(ada, words);
      await lineOf(ben, words).waitFor();
    }
    expect(await ben.getByRole('log').getByText('Today', { exact: true }).count()).toBe(1);
    expect(await lineOf(ben, 'One').locator('time').count()).toBe(0);
    expect(await lineOf(ben, 'Three').locator('time').count()).toBe(1);
    expect(await inspectPage(ben, 'chat-runs')).toEqual([]);
  });

  it('keeps a draft of each chat over a reload', async () => {
    await message(ada).fill('Half a thou');
    await ada.reload();
    await expect.poll(() => message(ada).inputValue()).toBe('Half a thou');
    await message(ada).fill('');
    await ada.reload();
    await lineOf(ada, 'Three').waitFor();
    expect(await message(ada).inputValue()).toBe('');
  });

  it('leaves whoever reads older messages where they are, and tells them of new ones', async () => {
    for (let count = 0; count < 12; count += 1) await write(ada, `Verse ${count}\n\n\n\nand its end`);
    await lineOf(ben, 'Verse 11').waitFor();
    await expect.poll(async () => (await scrolled(ben)).from_end).toBeLessThan(4);
    await ben.getByRole('log').evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 40;
    });
    await expect.poll(async () => (await scrolled(ben)).top).toBe(40);
    await write(ada, 'Something new');
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).waitFor();
    expect((await scrolled(ben)).top).toBe(40);
    expect(await inspectPage(ben, 'chat-new-messages')).toEqual([]);
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).click();
    await expect.poll(async () => (await scrolled(ben)).from_end).toBeLessThan(4);
    expect(await ben.getByRole('button', { name: /^\d+ new messages?$/ }).count()).toBe(0);
    await write(ada, 'And more');
    await lineOf(ben, 'And more').waitFor();
    await expect.poll(async () => (await scrolled(ben)).from_end).toBeLessThan(4);
  });

  it('sends what was written without a line once it is back, once, also after a reload', async () => {
    const posts = '**/v1/dm/threads/*/chat';
    const keys: string[] = [];
    await ben.route(posts, async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      keys.push(request.headers()['idempotency-key'] ?? '');
      // It arrives, and the answer is lost.
      await route.fetch();
      return route.abort();
    });
    await write(ben, 'From the train');
    await lineOf(ben, /From the train.*Not sent yet/s).waitFor({ timeout: 40_000 });
    await ben.unroute(posts);
    ben.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/chat'))
        keys.push(request.headers()['idempotency-key'] ?? '');
    });
    await ben.reload();
    await lineOf(ada, 'From the train').waitFor();
    await expect.poll(() => lineOf(ben, 'Not sent yet').count(), { timeout: 20_000 }).toBe(0);
    // While the repeat is on its way, what arrived the first time may stand beside it.
    const counts = async () => Promise.all([ada, ben].map((page) => lineOf(page, 'From the train').count()));
    await expect.poll(counts).toEqual([1, 1]);
    expect(new Set(keys).size).toBe(1);
  });

  it('really drops what is not to be sent', async () => {
    const posts = '**/v1/dm/threads/*/chat';
    await ben.route(posts, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await write(ben, 'Better not');
    await lineOf(ben, /Better not.*Not sent yet/s).waitFor({ timeout: 40_000 });
    expect(await inspectPage(ben, 'chat-unsent')).toEqual([]);
    await ben.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => lineOf(ben, 'Better not').count()).toBe(0);
    await ben.unroute(posts);
    await ben.reload();
    await write(ben, 'This one');
    await lineOf(ada, 'This one').waitFor();
    expect(await lineOf(ada, 'Better not').count()).toBe(0);
  });

  it('reads and answers in the chat of a group, with what is unread in the badge', async () => {
    const as_ada = await tokenOf(ada);
    await ask(service, as_ada, 'PATCH /me', { reach: { find: 'everyone' } });
    const group = await ask(service, olga, 'POST /groups', { name: 'Choir' });
    const contact = await ask(service, olga, 'POST /contacts', {
      name: 'Ada',
      phones: [{ number: '+14155550101' }],
    });
    await ask(service, olga, `PUT /groups/${group.id}/members/${contact.id}`);
    const { items } = await ask(service, as_ada, 'GET /group-invites');
    await ask(service, as_ada, `POST /group-invites/${items[0].id}/accept`);
    await areaLink(ada, /^Home$/).click();
    await ask(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at eight' });
    await areaLink(ada, /^Chats 1 new messages$/).click();
    expect(await inspectPage(ada, 'chats-list')).toEqual([]);
    await chatLink(ada, /^Choir .*Rehearsal at eight.*1 not read/).click();
    await lineOf(ada, /Unread messages.*Rehearsal at eight/s).waitFor();
    await areaLink(ada, /^Chats$/).waitFor();
    await ada.getByRole('button', { name: 'More about “Rehearsal at eight”' }).click();
    await ada.getByRole('menuitem', { name: 'Reply' }).click();
    await write(ada, 'I will be there');
    await lineOf(ada, /Rehearsal at eight.*I will be there/s).waitFor();
    const read = await ask(service, olga, `GET /groups/${group.id}/chat`);
    expect(read.items[0]).toMatchObject({ body: 'I will be there', reply_to: read.items[1].id });
    // More than one page of messages is unread: those before them are loaded for the line above them.
    await areaLink(ada, /^Home$/).click();
    for (let at = 1; at <= 40; at++) await ask(service, olga, `POST /groups/${group.id}/chat`, { body: `Bar ${at}.` });
    await areaLink(ada, /^Chats 40 new messages$/).click();
    await chatLink(ada, /^Choir .*40 not read/).click();
    await lineOf(ada, /Unread messages.*Bar 1\./s).waitFor();
    await expect.poll(async () => (await lineOf(ada, 'Bar 1.').first().boundingBox())?.y ?? 0).toBeGreaterThan(0);
    expect((await lineOf(ada, 'Bar 1.').first().boundingBox())?.y).toBeLessThan(300);
    await ask(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at nine' });
    await ada.getByRole('button', { name: '1 new message' }).click();
    await lineOf(ada, 'Rehearsal at nine').waitFor();
    expect(await inspectPage(ada, 'group-chat')).toEqual([]);
    await ask(service, olga, `DELETE /groups/${group.id}`);
    await ada.getByText('This chat is closed').waitFor();
  });

  it('shows at once that somebody has gone', async () => {
    await chatLink(ada, /^olga/).click();
    await reachable(ada, 'olga').waitFor({ state: 'detached', timeout: 40_000 });
    const head = ada.getByRole('region', { name: 'Open chat' }).getByRole('link', { name: /^olga/ });
    await head.getByText('@olga').waitFor();
  });
});
