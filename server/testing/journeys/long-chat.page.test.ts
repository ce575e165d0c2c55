/** A chat of 10,000 messages: what is drawn of it is bounded, it is scrolled smoothly, and nobody is moved by what comes. */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { inspectPage } from '../page-checks.ts';
import { requestAs } from '../running-people.ts';
import { type Service } from '../running-service.ts';
import { databaseUrl, template_name } from '../template.ts';
import { useBrowserWindows, openTwoPeople, missing_browser } from '../windows.ts';

const messages = 10_000;
const apart_ms = 90 * 60_000;
/** A window of 844 px shows some 20 rows; with those ahead of both ends fewer than this are drawn. */
const most_rows = 80;
/** A frame is 16 ms; on a machine with other work the usual one may take three. */
const usual_frame_ms = 50;

type Scrolled = { top: number; height: number; from_end: number };

describeUnlessMissing(missing_browser, 'a chat of 10,000 messages', () => {
  let service: Service;
  let db: pg.Client;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  const sessionOf = async (page: Page) =>
    JSON.parse(String(await page.evaluate('localStorage.getItem("asterism.session")'))) as { token: string };
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
    for (const page of [ada, ben]) page.setDefaultTimeout(10_000);
    const ids = { ada: await idOf(ada), ben: await idOf(ben) };
    thread_id = (await asPage(ada, 'POST /dm/threads', { user_id: ids.ben })).id;
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'The newest of all' });
    await asPage(ben, `POST /dm/threads/${thread_id}/accept`, {});
    db = new pg.Client({ connectionString: DATABASE_URL });
    await db.connect();
    await fill(db, [ids.ada, ids.ben]);
  }, 90_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
    await db.end();
  });

  /** Writes years of messages before the newest, of one line to nine. */
  async function fill(to: pg.Client, writers: [string, string]) {
    const now = Date.now() - 3_600_000;
    const times = Array.from({ length: messages }, (_, at) => new Date(now - (messages - at) * apart_ms));
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
  }

  const log = (page: Page) => page.getByRole('log');
  const lineOf = (page: Page, words: string | RegExp) => log(page).getByRole('listitem').filter({ hasText: words });
  const drawn = (page: Page) => log(page).locator('[data-index]').count();
  const scrolled = (page: Page): Promise<Scrolled> =>
    log(page).evaluate((element) => {
      const box = element as unknown as { scrollTop: number; scrollHeight: number; clientHeight: number };
      return {
        top: box.scrollTop,
        height: box.scrollHeight,
        from_end: box.scrollHeight - box.scrollTop - box.clientHeight,
      };
    });
  const isInView = async (page: Page, words: string | RegExp) => {
    const [line, box] = [await lineOf(page, words).first().boundingBox(), await log(page).boundingBox()];
    return line !== null && box !== null && line.y + line.height > box.y && line.y < box.y + box.height;
  };

  /** Turns the wheel for some frames, and measures each of them, and how many rows were there at the most. */
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
            const seen = { frames_ms: [] as number[], rows: 0, blank: 0 };
            const page_of = globalThis as unknown as {
              requestAnimationFrame(next: (now: number) => void): void;
              document: { elementFromPoint(x: number, y: number): { closest(which: string): unknown } | null };
            };
            let last = 0;
            const step = (now: number) => {
              if (last > 0) seen.frames_ms.push(now - last);
              last = now;
              seen.rows = Math.max(seen.rows, box.querySelectorAll('[data-index]').length);
              const { top, left, width, height } = box.getBoundingClientRect();
              const middle = page_of.document.elementFromPoint(left + width / 2, top + height / 2);
              if (!middle?.closest('[data-index]')) seen.blank += 1;
              if (seen.frames_ms.length >= count) return resolve(seen);
              box.scrollTop += delta;
              page_of.requestAnimationFrame(step);
            };
            page_of.requestAnimationFrame(step);
          }),
        { delta: delta_px, count: frames },
      ),
    ];
    const sorted = found.frames_ms.toSorted((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    return { rows: found.rows, blank: found.blank, median_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(0.999) };
  }

  it('opens at the newest, with few of its rows drawn', async () => {
    for (const page of [ada, ben]) {
      await page.goto(`${service.url}/app/messages/${thread_id}`);
      await lineOf(page, 'The newest of all').waitFor();
      await expect.poll(async () => (await scrolled(page)).from_end).toBeLessThan(4);
      expect(await drawn(page)).toBeLessThan(most_rows);
    }
    expect(await inspectPage(ben, 'long-chat', 'each')).toEqual([]);
  });

  it('scrolls smoothly at its newest end, through a thousand messages and back', async () => {
    let [rows, blank] = [0, 0];
    const back = await wheel(ben, -400, 150);
    for (let tries = 0; tries < 40; tries += 1) {
      const { height } = await scrolled(ben);
      const turn = await wheel(ben, -2_000, 12);
      [rows, blank] = [Math.max(rows, turn.rows), blank + turn.blank];
      await expect.poll(async () => (await scrolled(ben)).height).toBeGreaterThanOrEqual(height);
    }
    const { height } = await scrolled(ben);
    const forth = await wheel(ben, 400, 150);
    process.stderr.write(`newest end: back ${JSON.stringify(back)}, forth ${JSON.stringify(forth)}, ${height} px\n`);
    expect(height).toBeGreaterThan(40_000);
    expect(Math.max(rows, back.rows, forth.rows)).toBeLessThan(most_rows);
    expect(Math.max(back.median_ms, forth.median_ms)).toBeLessThan(usual_frame_ms);
    // A row is in the middle of the window in every frame but those in which older ones are still on their way.
    expect(forth.blank).toBe(0);
  }, 180_000);

  it('is not pulled down by a new message while older ones are read, nor moved by older ones that come', async () => {
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
          (one) => one.getBoundingClientRect().bottom > edge + 40,
        );
        return { words: found?.innerText ?? '', top: Math.round(found?.getBoundingClientRect().top ?? 0) };
      });
      return { words: /Page \d+/.exec(lines.words)?.[0], top: lines.top };
    };
    const before = await first();
    await asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body: 'Are you there?' });
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).waitFor();
    expect(await first()).toEqual(before);
    // Older ones are fetched while one stands near them: what is read stays where it is, to the pixel or two.
    const heard = ben.waitForResponse(/before_id=/);
    await log(ben).evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 700;
    });
    await ben.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    const read = await first();
    await heard;
    await expect.poll(async () => (await scrolled(ben)).top).toBeGreaterThan(1_000);
    const line = lineOf(ben, new RegExp(`${read.words}\\D`));
    await expect.poll(async () => Math.abs(((await line.boundingBox())?.y ?? -1_000) - read.top)).toBeLessThan(12);
    await ben.getByRole('button', { name: /^\d+ new messages?$/ }).click();
    await expect.poll(() => isInView(ben, 'Are you there?')).toBe(true);
    expect((await scrolled(ben)).from_end).toBeLessThan(4);
  });

  it('leads from an answer to a message that was never fetched, at the oldest end, and scrolls smoothly there', async () => {
    await log(ada)
      .getByRole('button', { name: /In reply to/ })
      .click();
    await expect.poll(() => isInView(ada, /Page 5\./)).toBe(true);
    const down = await wheel(ada, 300, 120);
    const up = await wheel(ada, -300, 120);
    process.stderr.write(`oldest end: down ${JSON.stringify(down)}, up ${JSON.stringify(up)}\n`);
    expect(Math.max(down.rows, up.rows)).toBeLessThan(most_rows);
    expect(Math.max(down.median_ms, up.median_ms)).toBeLessThan(usual_frame_ms);
    await expect.poll(async () => (await wheel(ada, -2_000, 5), lineOf(ada, /Page 0\./).count())).toBe(1);
    await ada.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(() => isInView(ada, 'Are you there?')).toBe(true);
    expect(new URL(ada.url()).search).toBe('');
    expect(await drawn(ada)).toBeLessThan(most_rows);
  });

  it('is entered at a day of years ago', async () => {
    const day = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10);
    await ada.getByRole('button', { name: /^More about [^“]/ }).click();
    await ada.getByRole('menuitem', { name: 'Jump to a date' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Jump to a date' });
    await sheet.getByLabel('Day').fill(day);
    await sheet.getByRole('button', { name: 'Jump', exact: true }).click();
    const shown = log(ada).locator(`.day time[datetime="${day}"]`);
    await shown.waitFor();
    await expect.poll(async () => (await shown.boundingBox())?.y ?? -1).toBeGreaterThan(0);
  });
});
