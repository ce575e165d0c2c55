import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { default_limits } from '../load/limits.ts';
import { openPool, sql, type Pool, type Queryable } from './database.ts';

const { seed, label } = seedOf(8_520);

describe('group commit', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = openPool(inject('database_url'), 20);
    await pool.run(sql`
      create table if not exists grouped (
        id int constraint grouped_once unique deferrable initially deferred, xid xid8 not null default pg_current_xact_id())`);
  });
  afterAll(async () => {
    await pool.run(sql`drop table grouped`);
    await pool.close();
  });
  beforeEach(() => pool.run(sql`delete from grouped`));

  const insert = (db: Queryable, id: number, by = 1) =>
    db.run(sql`insert into grouped (id) select ${id} where 1 / ${by}::int = 1`);
  /** A transaction that needs no answer before its end. */
  const complete = (id: number, by = 1, then = async (_db: Queryable): Promise<unknown> => undefined) =>
    pool.transaction(
      async () => `done ${id}`,
      (db) => Promise.all([insert(db, id, by), then(db)]),
    );
  const stored = async () =>
    (await pool.many<{ id: number }>(sql`select id from grouped order by id`)).map(({ id }) => id);
  const transactions = async () =>
    (await pool.one<{ count: number }>(sql`select count(distinct xid)::int as count from grouped`)).count;
  /** Both connections for groups are open and idle. */
  const warm = async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => complete(1000 + at)));
    await pool.run(sql`delete from grouped`);
  };
  const range = (length: number) => Array.from({ length }, (_, at) => at);

  it('commits complete transactions of one turn together, each with its own result', async () => {
    await warm();
    expect(await Promise.all(range(10).map((id) => complete(id)))).toEqual(range(10).map((id) => `done ${id}`));
    expect(await stored()).toEqual(range(10));
    expect(await transactions()).toBe(1);
  });

  it('leaves a transaction alone that needs an answer before its end', async () => {
    await warm();
    const asking = pool.transaction(async (db) => {
      await insert(db, 100);
      return db.one(sql`select xid = pg_current_xact_id() as is_own from grouped where id = 100`);
    });
    const [asked] = await Promise.all([asking, complete(1), complete(2)]);
    expect(asked).toEqual({ is_own: true });
    expect(await transactions()).toBe(2);
  });

  it('fails only the transaction that fails, in a statement or at its commit', async () => {
    await complete(7);
    await warm();
    await complete(7);
    const all = await Promise.allSettled([complete(1), complete(2, 0), complete(3), complete(7), complete(4)]);
    expect(all).toMatchObject([
      { value: 'done 1' },
      { reason: { code: '22012' } },
      { value: 'done 3' },
      { reason: { code: '23505', constraint: 'grouped_once' } },
      { value: 'done 4' },
    ]);
    expect(await stored()).toEqual([1, 3, 4, 7]);
    // Two transactions of a group that only fails at its commit.
    const twice = await Promise.allSettled([complete(8), complete(7), complete(9)]);
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored()).toEqual([1, 3, 4, 7, 8, 9]);
  });

  it('reports the first failed statement, as a transaction on its own does', async () => {
    const outcomes: unknown[] = [];
    const failing = pool.transaction(
      async () => undefined,
      async (db) => {
        const sent = [insert(db, 1), insert(db, 2, 0), insert(db, 3)];
        outcomes.push(...(await Promise.allSettled(sent)));
        return Promise.all(sent);
      },
    );
    const [, result] = await Promise.allSettled([complete(4), failing]);
    expect(result).toMatchObject({ reason: { code: '22012' } });
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: '22012' } },
      { reason: { code: '22012' } },
    ]);
    expect(await stored()).toEqual([4]);
  });

  it('does not let others wait for the lock that one of them waits for', async () => {
    await warm();
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = (db: Queryable) => db.run(sql`select pg_advisory_xact_lock(8_520)`);
    const holder = pool.transaction(async (db) => {
      await lock(db);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    let has_waited = false;
    const waiting = complete(1, 1, lock).then(() => (has_waited = true));
    await Promise.all(range(8).map((at) => complete(10 + at)));
    expect(has_waited).toBe(false);
    expect(await stored()).toEqual(range(8).map((at) => 10 + at));
    held.resolve();
    await Promise.all([holder, waiting]);
    expect(await stored()).toContain(1);
  });

  it('ends a deadlock of two groups', async () => {
    await warm();
    const lock = (key: number) => (db: Queryable) => db.run(sql`select pg_advisory_xact_lock(${key}::bigint)`);
    const other = openPool(inject('database_url'), 20);
    const both = (db: Pool, keys: number[]) =>
      keys.map((key) =>
        db.transaction(
          async () => undefined,
          (tx) => Promise.all([lock(key)(tx), tx.run(sql`select pg_sleep(0.005)`)]),
        ),
      );
    const [one, two] = [
      [8_521, 8_522, 8_523],
      [8_523, 8_522, 8_521],
    ];
    for (let round = 0; round < 5; round++) await Promise.all([...both(pool, one ?? []), ...both(other, two ?? [])]);
    await other.close();
  });

  it('sends nothing for a transaction without statements', async () => {
    const nowhere = openPool('postgresql://127.0.0.1:1/nowhere', 20);
    expect(await nowhere.transaction(async () => 'nothing')).toBe('nothing');
    await expect(nowhere.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await expect(nowhere.transaction(async (db) => insert(db, 1))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const complete_one = nowhere.transaction(
      async () => undefined,
      (db) => insert(db, 1),
    );
    await expect(complete_one).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await nowhere.close();
  });

  it('continues after its connections were ended, and reports a commit whose outcome is unknown', async () => {
    await warm();
    // An idle connection still shows its last statement.
    const end = () =>
      pool.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`);
    const slow = Promise.allSettled(
      range(3).map((id) =>
        complete(id, 1, (db) => db.run(sql`select pg_sleep(case when ${id}::int = 0 then 20 else 0 end)`)),
      ),
    );
    await vi.waitFor(async () => expect((await end()).length).toBeGreaterThan(0));
    const outcomes = await slow;
    expect(outcomes[0]).toMatchObject({ status: 'rejected' });
    const kept = outcomes.flatMap(({ status }, id) => (status === 'fulfilled' ? [id] : []));
    expect(await stored()).toEqual(kept);
    await complete(50);
    expect(await stored()).toContain(50);
  });

  it('refuses new transactions when too many wait', async () => {
    const small = openPool(inject('database_url'), 5, { ...default_limits });
    const flood = range(400).map((id) =>
      small.transaction(
        async () => undefined,
        (db) => insert(db, id),
      ),
    );
    const outcomes = await Promise.allSettled(flood);
    const refused = outcomes.filter((one) => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(100);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 'unavailable' });
    expect(await stored()).toHaveLength(400 - refused.length);
    await small.close();
  });

  it(`stores exactly what was reported as done, over random transactions (${label})`, async () => {
    const random = randomFrom(seed);
    const done: number[] = [];
    const one = async (id: number) => {
      const kind = random();
      // Some fail, some need an answer, and some insert what another has inserted.
      const by = kind < 0.1 ? 0 : 1;
      const what = kind > 0.9 ? id - 1 : id;
      const work =
        kind > 0.2 && kind < 0.3
          ? pool.transaction(async (db) => {
              await insert(db, id, by);
              await insert(db, id + 100_000);
            })
          : complete(what, by);
      await work.then(
        () => done.push(what),
        (error: { code?: string }) => expect(['22012', '23505']).toContain(error.code),
      );
    };
    const worker = async (from: number) => {
      for (let at = 0; at < 40; at++) await one(from + at);
    };
    await Promise.all(range(24).map((at) => worker(at * 1000)));
    expect((await stored()).filter((id) => id < 100_000)).toEqual(done.toSorted((a, b) => a - b));
    expect(new Set(done).size).toBe(done.length);
  });
});
