import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { deliver } from './delivery.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('delivery', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
  });
  afterAll(() => world.close());

  it('keeps the order per address, uses at most 64 queues, and stores no address in queue names', slow, async () => {
    const { services } = world.app;
    await change(services, async (transaction) => {
      for (let at = 0; at < 200; at++) {
        const message = { subject: `${at}`, text: `${at}` };
        deliver(transaction, 'email', `somebody.${at}@example.org`, message);
        deliver(transaction, 'email', 'one@example.org', message);
      }
    });
    const queues = await services.db.many<{ queue_name: string }>(
      sql`select queue_name from graphile_worker._private_job_queues`,
    );
    expect(queues.length).toBeGreaterThan(1);
    expect(queues.length).toBeLessThanOrEqual(64);
    for (const { queue_name } of queues) expect(queue_name).toMatch(/^mail:\d{1,2}$/);
    const sent = (await world.sent('one@example.org')).map(({ text }) => Number(text)).toReversed();
    expect(sent).toEqual(Array.from({ length: 200 }, (_, at) => at).slice(-sent.length));
    expect(sent.length).toBe(100);
  });
});
