/** Many jobs at one moment: done within a minute, while requests keep their time. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrowd } from '../../../../tools/bench/crowd.ts';
import { findPersonas } from '../../../testing/personas.ts';
import { createWorld, type World } from '../../../testing/world.ts';

/** `JOBS=10000` is the long run of docs/decisions/0021. */
const jobs = Number(process.env['JOBS'] ?? 1000);
const people = 200;

describe('scheduled jobs that are due at once', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' }, background: true });
    const { connectionString } = world.app.services.db.native.options as { connectionString: string };
    const db = new pg.Client({ connectionString });
    await db.connect();
    await addCrowd(db, { users: people + 10, follows: 1000, statuses: 0, reader_follows: 5 });
    await db.end();
  });
  afterAll(() => world.close());

  it(`are done within a minute, each once (${jobs} jobs)`, async () => {
    const { native } = world.app.services.db;
    const { alice } = findPersonas();
    await native.query(
      `insert into scheduled_jobs (id, user_id, kind, target, body, run_at, timezone, state, next_run_at, due_at, created_at)
       select 'job_' || lpad(n::text, 26, '0'), 'usr_' || lpad((n % $2 + 5)::text, 26, '0'), 'text',
              jsonb_build_object('user_id', 'usr_' || lpad(((n + n / $2 + 1) % $2 + 5)::text, 26, '0')), 'Hello ' || n,
              now(), 'UTC', 'scheduled', now(), now(), now() from generate_series(1, $1) n`,
      [jobs, people],
    );
    const started_ms = performance.now();
    const latencies: number[] = [];
    const isLeft = async () =>
      (await native.query('select 1 from scheduled_jobs where due_at is not null limit 1')).rows.length > 0;
    while (await isLeft()) {
      const asked_ms = performance.now();
      expect((await world.call('GET /me', { token: alice.token })).status).toBe(200);
      latencies.push(performance.now() - asked_ms);
      // As often as a few people ask, so that the asking itself is not what is measured.
      await wait(20);
    }
    const took_s = (performance.now() - started_ms) / 1000;
    const p99_ms = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
    console.log(`${jobs} jobs in ${took_s.toFixed(1)} s, requests beside them p99 ${p99_ms.toFixed(1)} ms`);
    expect(took_s).toBeLessThan(60);
    expect(p99_ms).toBeLessThan(500);
    const { rows } = await native.query<{ runs: number; n: number }>(
      'select jsonb_array_length(runs) as runs, count(*)::int as n from scheduled_jobs group by 1',
    );
    expect(rows).toEqual([{ runs: 1, n: jobs }]);
    const sent = await native.query<{ n: number }>(
      "select count(*)::int as n from dm_messages where body like 'Hello %'",
    );
    const done = await native.query<{ n: number }>(
      "select count(*)::int as n from scheduled_jobs where state = 'done'",
    );
    expect(sent.rows).toEqual(done.rows);
  }, 120_000);
});
