/** Messages leave as soon as they are enqueued, whatever else is waiting. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { job_lanes } from '../../kernel/job.ts';
import { change } from '../../kernel/services.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { deliver } from './delivery.ts';

const patience = { timeout: 20_000, interval: 5 };

describe('delivery by a running worker', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false, background: true });
  });
  afterAll(() => world.close());

  /** Sends some texts to a number in one change, and returns when. */
  const send = async (to: string, texts: string[]) => {
    const { services } = world.app;
    await change(services, async (transaction) => {
      for (const text of texts) deliver(transaction, 'sms', to, { subject: '', text });
    });
    return performance.now();
  };
  /** What was sent, newest first, read from the console: `world.sent` would run the jobs itself. */
  const outbox = async (to: string): Promise<{ text: string }[]> => {
    const { body } = await world.app.http.inject(`/console/outbox?limit=100&to=${encodeURIComponent(to)}`);
    return JSON.parse(body).items;
  };
  const arrived = (to: string, count: number) =>
    vi.waitFor(async () => expect(await outbox(to)).toHaveLength(count), patience);

  it('does not wait for a poll when a message follows another one at once', async () => {
    const waits_ms = [];
    // A message that is enqueued before the workers of each lane listen waits for a poll.
    const listening = sql`
      select 1 from pg_stat_activity where datname = current_database() and state = 'idle' and query like 'LISTEN "jobs:insert"%'`;
    await vi.waitFor(
      async () => expect(await world.app.services.db.many(listening)).toHaveLength(job_lanes.length),
      patience,
    );
    await send('+14155550209', ['Your code']);
    await arrived('+14155550209', 1);
    for (let at = 0; at < 15; at++) {
      const number = `+141555502${10 + at}`;
      const sent_ms = await send(number, ['Your code']);
      await arrived(number, 1);
      waits_ms.push(performance.now() - sent_ms);
    }
    // A poll is a second later.
    expect(Math.max(...waits_ms)).toBeLessThan(500);
  });

  it('keeps the order of many messages to one address, and does not delay those to others', async () => {
    const [busy, other] = ['+14155550201', '+14155550202'];
    const texts = Array.from({ length: 20 }, (_, at) => `${at}`);
    const sent_ms = await send(busy, texts.slice(0, 10));
    await send(busy, texts.slice(10));
    await send(other, ['Your code']);
    await arrived(other, 1);
    expect(performance.now() - sent_ms).toBeLessThan(2000);
    await arrived(busy, texts.length);
    expect(performance.now() - sent_ms).toBeLessThan(5000);
    expect((await outbox(busy)).map(({ text }) => text).toReversed()).toEqual(texts);
  });
});
