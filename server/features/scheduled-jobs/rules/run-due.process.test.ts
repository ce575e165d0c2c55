/** Many jobs due at once run within a minute without slowing down requests. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrowd } from '../../../testing/samples/crowd.ts';
import { findPersonas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';

/** `JOBS=10000` is the long run of docs/decisions/0021. */
const jobs = Number(process.env['JOBS'] ?? 1000);
const people = 200;

describe('Scheduled jobs due at once', () => {
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

  it(`run within a minute, once each (${jobs} jobs)`, async () => {
    const { native } = world.app.services.db;
    const { alice } = findPersonas();
    const user = (which: string) => `'usr_' || lpad((${which})::text, 26, '0')`;
    const group = (which: string) => `'grp_' || lpad((${which})::text, 26, '0')`;
    await native.query(
      `insert into groups (id, owner_id, name, description, created_at)
       select ${group('n + 5')}, ${user('n + 5')}, 'Choir', '', now() from generate_series(0, ${people - 1}) n`,
    );
    // Of ten jobs, five are direct messages, two are group messages, two are reminders, and one is a status.
    await native.query(
      `insert into scheduled_jobs (id, user_id, kind, target, body, run_at, timezone, state, next_run_at, due_at, created_at)
       select 'job_' || lpad(n::text, 26, '0'), ${user('n % $2 + 5')},
              case when kind < 7 then 'text' when kind < 9 then 'reminder' else 'status' end,
              case when kind < 5 then jsonb_build_object('user_id', ${user('(n + n / $2 + 1) % $2 + 5')})
                   when kind < 7 then jsonb_build_object('group_id', ${group('n % $2 + 5')}) end,
              'Hello ' || n, now(), 'UTC', 'scheduled', now(), now(), now()
       from (select n, (n / $2 + n) % 10 as kind from generate_series(1, $1) n) wanted`,
      [jobs, people],
    );
    const started_ms = performance.now();
    const latencies: number[] = [];
    const hasPending = async () =>
      (await native.query('select 1 from scheduled_jobs where due_at is not null limit 1')).rows.length > 0;
    while (await hasPending()) {
      const request_started_ms = performance.now();
      expect((await world.call('GET /me', { token: alice.token })).status).toBe(200);
      latencies.push(performance.now() - request_started_ms);
      // As often as a few users do, so that these requests do not dominate the measurement.
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
    const count = async (statement: string) => (await native.query<{ n: number }>(statement)).rows[0]?.n;
    const done = (which: string) =>
      count(`select count(*)::int as n from scheduled_jobs where state = 'done' and ${which}`);
    const insertedRows = (table: string) => count(`select count(*)::int as n from ${table} where body like 'Hello %'`);
    expect(await insertedRows('dm_messages')).toBe(await done(`target ? 'user_id'`));
    expect(await insertedRows('chat_messages')).toBe(await done(`target ? 'group_id'`));
    expect(await insertedRows('statuses')).toBe(await done(`kind = 'status'`));
    expect(await count(`select count(*)::int as n from notifications where kind = 'reminder'`)).toBe(
      await done(`kind = 'reminder'`),
    );
    // Only the first text to a stranger is accepted; all other jobs succeed.
    expect(await count(`select count(*)::int as n from scheduled_jobs where state = 'failed'`)).toBe(
      await count(`select count(*)::int as n from scheduled_jobs where state = 'failed' and target ? 'user_id'`),
    );
  });
});
