/**
 * A chat of 10,000 messages: the number of rendered rows is limited, scrolling is smooth, and new messages do not move
 * the reader.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { messageOf, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { firstIdAt } from '../../../../kernel/id.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import { databaseUrl, template_name } from '../../../world/template.ts';
import {
  networkQuiet,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  sessionOf,
} from '../../../browser/windows.ts';

const messages = 10_000;
const interval_ms = 90 * 60_000;
/** A window of 844 px shows some 20 rows; with those prefetched at both ends fewer than this are rendered. */
const max_rows = 80;
/** A frame is 16 ms; on a machine with other work the median may be three. */
const max_median_frame_ms = 50;

type ScrollPosition = { top: number; height: number; from_end: number };

describeUnlessMissing(missing_browser, 'a chat of 10,000 messages', () => {
  let service: Service;
  let db: pg.Client;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  const idOf = async (page: Page) => (await service.call('GET /me', await sessionOf(page))).body.id as string;

  beforeAll(async () => {
    const server_url = inject('database_url');
    const name = `long_${randomUUID().replaceAll('-', '')}`;
    const admin = new pg.Client({ connectionString: server_url });
    await admin.connect();
    await admin.query(`create database ${name} template ${template_name} strategy file_copy`);
    await admin.end();
    const DATABASE_URL = databaseUrl(server_url, name);
    const environment = { DATABASE_URL, SERVICE_KEY: randomBytes(24).toString('hex') };
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }, { environment }));
    const ids = { ada: await idOf(ada), ben: await idOf(ben) };
    thread_id = await openThread(service, ada, ben, 'The newest of all');
    db = new pg.Client({ connectionString: DATABASE_URL });
    await db.connect();
    await fill(db, [ids.ada, ids.ben]);
  });
  afterAll(async () => {
    await db.end();
  });

  /** Inserts years of messages before the newest, of one to nine lines. */
  async function fill(to: pg.Client, writers: [string, string]) {
    const now = Date.now() - 3_600_000;
    const times = Array.from({ length: messages }, (_, at) => new Date(now - (messages - at) * interval_ms));
    await to.query(
      `insert into dm_messages (id, thread_id, sender_id, body, reply_to_id, created_at)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
      [
        times.map((at) => firstIdAt('dm', at)),
        times.map(() => thread_id),
        times.map((_, at) => writers[at % 3 === 0 ? 0 : 1]),
        times.map((_, at) => `Page ${at}. ${'and so it goes on '.repeat((at * 7) % 13)}`),
        times.map((_, at) => (at === messages - 1 ? firstIdAt('dm', times[5] as Date) : null)),
        times,
      ],
    );
    await to.query('update dm_members set message_count = message_count + $2 where thread_id = $1', [
      thread_id,
      times.length,
    ]);
  }

  const log = (page: Page) => page.getByRole('log');
  const countRendered = (page: Page) => log(page).locator('[data-index]').count();
  const scrollPosition = (page: Page): Promise<ScrollPosition> =>
    log(page).evaluate((element) => {
      const box = element as unknown as { scrollTop: number; scrollHeight: number; clientHeight: number };
      return {
        top: box.scrollTop,
        height: box.scrollHeight,
        from_end: box.scrollHeight - box.scrollTop - box.clientHeight,
      };
    });
  const isInView = async (page: Page, text: string | RegExp) => {
    const [line, box] = [await messageOf(page, text).first().boundingBox(), await log(page).boundingBox()];
    return line !== null && box !== null && line.y + line.height > box.y && line.y < box.y + box.height;
  };

  /** Turns the wheel for some frames, and measures each frame and the maximum number of rows. */
  async function wheel(page: Page, delta_px: number, frames: number) {
    const [found] = [
      await log(page).evaluate(
        (element, { delta, count }) =>
          new Promise<{ frames_ms: number[]; rows: number; blank: number }>((resolve) => {
            const box = element as unknown as {
              scrollTop: number;
              querySelectorAll(which: string): ArrayLike<unknown>;
              getBoundingClientRect(): { top: number; left: number; width: number; height: number };
            };
            const result = { frames_ms: [] as number[], rows: 0, blank: 0 };
            const page_of = globalThis as unknown as {
              requestAnimationFrame(next: (now: number) => void): void;
              document: { elementFromPoint(x: number, y: number): { closest(which: string): unknown } | null };
            };
            let last = 0;
            const step = (now: number) => {
              if (last > 0) result.frames_ms.push(now - last);
              last = now;
              result.rows = Math.max(result.rows, box.querySelectorAll('[data-index]').length);
              const { top, left, width, height } = box.getBoundingClientRect();
              const middle = page_of.document.elementFromPoint(left + width / 2, top + height / 2);
              if (!middle?.closest('[data-index]')) result.blank += 1;
              if (result.frames_ms.length >= count) return resolve(result);
              box.scrollTop += delta;
              page_of.requestAnimationFrame(step);
            };
            page_of.requestAnimationFrame(step);
          }),
        { delta: delta_px, count: frames },
      ),
    ];
    const sorted = found.frames_ms.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    return { rows: found.rows, blank: found.blank, median_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(0.999) };
  }

  it('opens at the newest message, and renders few of its rows', async () => {
    for (const page of [ada, ben]) {
      await page.goto(`${service.url}/app/messages/${thread_id}`);
      await messageOf(page, 'The newest of all').waitFor();
      await expect.poll(async () => (await scrollPosition(page)).from_end).toBeLessThan(4);
      expect(await countRendered(page)).toBeLessThan(max_rows);
    }
    expect(await inspectPage(ben, 'long-chat', 'each')).toEqual([]);
  });

  it('scrolls smoothly from the newest message through a thousand others and back', async () => {
    let [rows, blank] = [0, 0];
    const back = await wheel(ben, -400, 150);
    for (let attempts = 0; attempts < 40; attempts += 1) {
      const { height } = await scrollPosition(ben);
      const turn = await wheel(ben, -2_000, 12);
      [rows, blank] = [Math.max(rows, turn.rows), blank + turn.blank];
      await expect.poll(async () => (await scrollPosition(ben)).height).toBeGreaterThanOrEqual(height);
    }
    const { height } = await scrollPosition(ben);
    const forth = await wheel(ben, 400, 150);
    process.stderr.write(`newest end: back ${JSON.stringify(back)}, forth ${JSON.stringify(forth)}, ${height} px\n`);
    expect(height).toBeGreaterThan(40_000);
    expect(Math.max(rows, back.rows, forth.rows)).toBeLessThan(max_rows);
    expect(Math.max(back.median_ms, forth.median_ms)).toBeLessThan(max_median_frame_ms);
    // A row is in the middle of the window in every frame except while older messages are being loaded.
    expect(forth.blank).toBe(0);
  });

  it("keeps the reader's position when a new message arrives, and when older ones are loaded", async () => {
    await wheel(ben, -300, 20);
    const first = async () => {
      const lines = await log(ben).evaluate((element) => {
        const box = element as unknown as {
          getBoundingClientRect(): { top: number };
          querySelectorAll(which: string): Iterable<{
            innerText: string;
            getBoundingClientRect(): { top: number; bottom: number };
          }>;
        };
        const edge = box.getBoundingClientRect().top;
        const found = [...box.querySelectorAll('[data-index]')].find(
          (row) => row.getBoundingClientRect().bottom > edge + 40,
        );
        return { text: found?.innerText ?? '', top: Math.round(found?.getBoundingClientRect().top ?? 0) };
      });
      return { text: /Page \d+/.exec(lines.text)?.[0], top: lines.top };
    };
    const before = await first();
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Are you there?' });
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).waitFor();
    expect(await first()).toEqual(before);
    // Older messages are loaded when the reader is near them: the visible ones stay in place, within a few pixels.
    const loaded = ben.waitForResponse(/before_id=/);
    await log(ben).evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 700;
    });
    await ben.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const read = await first();
    await loaded;
    await expect.poll(async () => (await scrollPosition(ben)).top).toBeGreaterThan(1_000);
    const line = messageOf(ben, new RegExp(`${read.text}\\D`));
    await expect.poll(async () => Math.abs(((await line.boundingBox())?.y ?? -1_000) - read.top)).toBeLessThan(12);
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).click();
    await expect.poll(() => isInView(ben, 'Are you there?')).toBe(true);
    expect((await scrollPosition(ben)).from_end).toBeLessThan(4);
  });

  it('leads from a reply to a message that was never loaded, at the oldest end, and scrolls smoothly there', async () => {
    await log(ada)
      .getByRole('button', { name: /In reply to/ })
      .click();
    await expect.poll(() => isInView(ada, /Page 5\./)).toBe(true);
    const down = await wheel(ada, 300, 120);
    const up = await wheel(ada, -300, 120);
    process.stderr.write(`oldest end: down ${JSON.stringify(down)}, up ${JSON.stringify(up)}\n`);
    expect(Math.max(down.rows, up.rows)).toBeLessThan(max_rows);
    expect(Math.max(down.median_ms, up.median_ms)).toBeLessThan(max_median_frame_ms);
    await expect.poll(async () => (await wheel(ada, -2_000, 5), messageOf(ada, /Page 0\./).count())).toBe(1);
    await ada.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(() => isInView(ada, 'Are you there?')).toBe(true);
    expect(new URL(ada.url()).search).toBe('');
    expect(await countRendered(ada)).toBeLessThan(max_rows);
  });

  // On a slow device older messages arrive while the list still settles at the first message of the day.
  it('jumps to days up to years ago, and stays there while older messages load, also on a slow device', async () => {
    const devtools = await ada.context().newCDPSession(ada);
    const slowDown = (rate: number) => devtools.send('Emulation.setCPUThrottlingRate', { rate });
    for (const days_ago of [400, 97, 134, 245, 393]) {
      const day = new Date(Date.now() - days_ago * 86_400_000).toISOString().slice(0, 10);
      await ada.getByRole('button', { name: /^More about [^“]/ }).click();
      await ada.getByRole('menuitem', { name: 'Jump to a date' }).click();
      const sheet = ada.getByRole('dialog', { name: 'Jump to a date' });
      await sheet.getByLabel('Day').fill(day);
      const before = ada.url();
      await slowDown(10);
      await sheet.getByRole('button', { name: 'Jump', exact: true }).click();
      await ada.waitForURL((url) => url.href !== before);
      await networkQuiet(ada);
      await slowDown(1);
      const shown = log(ada).locator(`.day time[datetime="${day}"]`);
      await expect
        .poll(async () => (await shown.count()) > 0 && (await shown.boundingBox())?.y, { message: day })
        .toBeGreaterThan(0);
    }
  });

  it('opens at the oldest of hundreds of unread messages, and counts those that remain', async () => {
    // Of three messages in a row, ben has written two.
    const first = messages - 601;
    const { rows } = await db.query<{ id: string }>(
      'select id from dm_messages where thread_id = $1 and body like $2',
      [thread_id, `Page ${first - 1}. %`],
    );
    const me = await idOf(ada);
    await db.query(
      `update dm_members set read_up_to = $3::id, unread_count =
         (select count(*) from dm_messages m where m.thread_id = $1 and m.id > $3::id and m.sender_id <> $2)
       where thread_id = $1 and user_id = $2`,
      [thread_id, me, rows[0]?.id],
    );
    const unread = async (): Promise<number> =>
      (await service.call(`GET /dm/threads/${thread_id}`, await sessionOf(ada))).body.unread_count;
    const count = await unread();
    expect(count).toBeGreaterThanOrEqual(400);
    const expected = first % 3 === 0 ? first + 1 : first;
    const line = messageOf(ada, new RegExp(`Unread messages.*Page ${expected}\\.`, 's'));
    const isAtLine = async () => {
      await line.waitFor();
      await expect
        .poll(async () =>
          Math.abs(((await line.boundingBox())?.y ?? -1_000) - ((await log(ada).boundingBox())?.y ?? 0)),
        )
        .toBeLessThan(40);
    };
    const asked: string[] = [];
    ada.on('request', (request) => asked.push(request.url()));
    await ada.goto(`${service.url}/app/messages/${thread_id}`);
    await isAtLine();
    await networkQuiet(ada);
    // Only the messages around it are loaded, and only those in sight are read.
    expect(asked.filter((url) => url.includes('around_id='))).not.toEqual([]);
    expect(asked.filter((url) => /(?:before|after)_id=/.test(url))).toEqual([]);
    ada.removeAllListeners('request');
    const button = ada.getByRole('button', { name: /^\d+ new messages$/ });
    const shown = async () => Number.parseInt((await button.textContent()) ?? '', 10);
    await expect.poll(shown).toBeLessThan(count);
    const before = await unread();
    await expect.poll(shown).toBe(before);
    expect(before).toBeGreaterThan(count - 30);
    // The address keeps the place.
    await ada.reload();
    await isAtLine();
    await log(ada).hover();
    await expect
      .poll(async () => {
        await ada.mouse.wheel(0, 600);
        return shown();
      })
      .toBeLessThan(before);
    await button.click();
    await messageOf(ada, 'The newest of all').waitFor();
    await expect.poll(async () => (await scrollPosition(ada)).from_end).toBeLessThan(4);
    expect(new URL(ada.url()).search).toBe('');
    await expect.poll(unread).toBe(0);
  });

  it('opens the chat of a group at the oldest of more than a hundred unread messages', async () => {
    const { id } = await asPage(ada, 'POST /groups', { name: 'Orchestra' });
    const { url } = await asPage(ada, `PUT /groups/${id}/link`, {});
    await asPage(ben, `POST /group-links/${url.split('/').at(-1)}/join`, {});
    for (let at = 1; at <= 110; at++) await asPage(ada, `POST /groups/${id}/chat`, { body: `Bar ${at}.` });
    await ben.goto(`${service.url}/app/messages/group/${id}`);
    await messageOf(ben, /Unread messages.*Bar 1\./s).waitFor();
    // What is in sight is read, and nothing else.
    const left = ben.getByRole('button', { name: /^\d+ new messages$/ });
    const count = async () => Number.parseInt((await left.textContent()) ?? '', 10);
    await expect.poll(count).toBeLessThan(110);
    const unread = async () =>
      (await requestAs(service, await sessionOf(ben), 'GET /home/group-chat')).items[0].unread_count;
    await networkQuiet(ben);
    expect(await count()).toBe(await unread());
    expect(await count()).toBeGreaterThan(80);
    await left.click();
    await expect.poll(() => isInView(ben, 'Bar 110.')).toBe(true);
    await expect.poll(unread).toBe(0);
  });
});
