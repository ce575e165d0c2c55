import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { Socket } from 'node:net';
import { ofVariableText, openPool, raw, sql, type Pool, type Queryable } from './database.ts';
import { parseMoment, toParameter, variable_prefix } from './prepared-statement.ts';

describe('prepared statements', () => {
  let pool: Pool;
  // One connection, so that prepared statements are reused; a new one for each test, since a full one also closes the oldest.
  beforeEach(() => {
    pool = openPool(inject('database_url'), 1);
  });
  afterEach(() => pool.close());

  const values = (db: Queryable, text: string) =>
    db.one(sql`
      select ${text}::text as text, null::text as nothing, ${7}::int as number, ${true}::boolean as flag, ${['a', 'b "c"']}::text[] as list,
        '[]'::json as empty, ${JSON.stringify({ deep: [1, 'ä'] })}::jsonb as json, '2026-11-25 02:33:53.123456+00'::timestamptz as at,
        'infinity'::timestamptz as never, 5::bigint as big, 'n'::name as name`);

  it('return rows as the driver does, the first time and later', async () => {
    const expected = (text: string) => ({
      text,
      nothing: null,
      number: 7,
      flag: true,
      list: ['a', 'b "c"'],
      empty: [],
      json: { deep: [1, 'ä'] },
      at: new Date('2026-11-25T02:33:53.123Z'),
      never: Infinity,
      big: '5',
      name: 'n',
    });
    expect(await values(pool, 'one')).toEqual(expected('one'));
    expect(await values(pool, 'two ☎')).toEqual(expected('two ☎'));
    const together = await pool.together((db) => Promise.all([values(db, 'three'), values(db, 'four')]));
    expect(together).toEqual([expected('three'), expected('four')]);
  });

  it('are described once per connection', async () => {
    const sent: number[] = [];
    const read = () => pool.one<{ a: number }>(sql`select ${1}::int + 40 as a`);
    // Connects.
    await pool.one(sql`select 1 as a`);
    const writes = vi.spyOn(Socket.prototype, '_writev' as '_write');
    for (let run = 0; run < 2; run++) {
      writes.mockClear();
      expect(await read()).toEqual({ a: 41 });
      // The messages of a run by their first bytes: Close, Parse, Bind, Describe, Execute and Sync.
      const calls = writes.mock.calls as unknown as [Buffer[]][];
      sent.push(...calls.flatMap(([chunks]) => chunks.map((bytes) => bytes[0] ?? 0)));
    }
    writes.mockRestore();
    expect(String.fromCharCode(...sent)).toBe('CPBDESBES');
  });

  const countPrepared = async (prefix = '') => {
    const { count } = await pool.one<{ count: number }>(
      sql`select count(*)::int as count from pg_prepared_statements where starts_with(name, ${prefix}::text)`,
    );
    return count;
  };

  it('are closed, the oldest first, when a connection has very many', async () => {
    const read = (at: number, db: Queryable = pool) => db.one(sql`select ${at}::int as ${raw(`column_${at}`)}`);
    for (let from = 0; from < 1600; from += 50)
      await pool.together((db) => Promise.all(Array.from({ length: 50 }, (_, at) => read(from + at, db))));
    expect(await countPrepared()).toBeLessThanOrEqual(1500);
    for (const at of [0, 1, 1599, 0]) expect(await read(at)).toEqual({ [`column_${at}`]: at });
    // The one that is closed is closed for certain only if its batch succeeds.
    const fails = pool.transaction(async (tx) => {
      await Promise.all([tx.run(sql`select 1 / ${0}::int`), tx.run(sql`select ${2}::int as fresh`)]);
    });
    await expect(fails).rejects.toMatchObject({ code: '22012' });
    for (const at of [2, 3, 4]) expect(await read(at)).toEqual({ [`column_${at}`]: at });
    expect(await countPrepared()).toBeLessThanOrEqual(1501);
  });

  it('are kept in small number where their text depends on their input', async () => {
    const read = (at: number, db: Queryable = pool) =>
      db.one(ofVariableText(sql`select ${at}::int as ${raw(`other_${at}`)}`));
    for (let at = 0; at < 40; at++) expect(await read(at)).toEqual({ [`other_${at}`]: at });
    expect(await countPrepared(variable_prefix)).toBe(12);
    const all = Array.from({ length: 30 }, (_, at) => at);
    // Some are closed before the answer to their parsing has come.
    for (const order of [all, all.toReversed(), all]) {
      const together = await pool.together((db) => Promise.all(order.map((at) => read(at, db))));
      expect(together).toEqual(order.map((at) => ({ [`other_${at}`]: at })));
    }
    await expect(
      pool.transaction((tx) => Promise.all([tx.run(sql`select 1 / ${0}::int`), ...all.map((at) => read(at, tx))])),
    ).rejects.toMatchObject({ code: '22012' });
    for (const at of [...all, ...all]) expect(await read(at)).toEqual({ [`other_${at}`]: at });
    expect(await countPrepared(variable_prefix)).toBe(12);
  });

  it('return the number of affected rows', async () => {
    await pool.transaction(async (tx) => {
      await tx.run(sql`create temporary table touched (id int) on commit drop`);
      expect(await tx.run(sql`insert into touched select generate_series(1, ${3}::int)`)).toBe(3);
      expect(await tx.run(sql`insert into touched select generate_series(1, ${2}::int)`)).toBe(2);
      expect(await tx.run(sql`update touched set id = id + 1 where id > ${1}::int`)).toBe(3);
      expect(await tx.many(sql`delete from touched returning id`)).toHaveLength(5);
    });
  });

  it('continue after a failed statement, whether parsing, execution or a parameter failed', async () => {
    const asNumber = (text: unknown) => pool.one(sql`select ${text}::int as number`);
    const divide = (by: number) => pool.one(sql`select 10 / ${by}::int as number`);
    // The server has parsed the first statement but not described it.
    await expect(asNumber('x')).rejects.toMatchObject({ code: '22P02' });
    expect(await asNumber('12')).toEqual({ number: 12 });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(2)).toEqual({ number: 5 });
    const broken = {
      toPostgres: () => {
        throw new Error('no value');
      },
    };
    await expect(asNumber(broken)).rejects.toThrow('no value');
    expect(await asNumber('3')).toEqual({ number: 3 });
  });

  it('roll back a failed transaction, without effect on later statements of the connection', async () => {
    const failing = pool.transaction(async (tx) => {
      await tx.run(sql`create temporary table half (id int)`);
      await tx.one(sql`select 1 / ${0}::int as number`);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await pool.one(sql`select to_regclass('pg_temp.half') is null as gone`)).toEqual({ gone: true });
  });

  it('include the caller in the stack of their errors', async () => {
    const error = await pool.one(sql`select missing`).catch((cause: Error) => cause);
    expect((error as Error).stack).toContain('prepared-statement.test.ts');
  });
});

describe('timestamps', () => {
  it('are parsed in the format of the server', () => {
    const texts: [string, number | null][] = [
      ['2026-11-25 02:33:53+00', Date.UTC(2026, 10, 25, 2, 33, 53)],
      ['2026-11-25 02:33:53.1+00', Date.UTC(2026, 10, 25, 2, 33, 53, 100)],
      ['2026-11-25 02:33:53.999999+00', Date.UTC(2026, 10, 25, 2, 33, 53, 999)],
      ['2026-11-25 02:33:53+01', Date.UTC(2026, 10, 25, 1, 33, 53)],
      ['0001-01-01 00:00:00+00', new Date('0001-01-01T00:00:00Z').getTime()],
    ];
    for (const [text, at] of texts) expect([text, (parseMoment(text) as Date).getTime()]).toEqual([text, at]);
    expect(parseMoment('-infinity')).toBe(-Infinity);
    expect((parseMoment('0044-03-15 12:00:00+00 BC') as Date).getUTCFullYear()).toBe(-43);
  });

  it('are sent in UTC, with years beyond four digits in the format of the driver', () => {
    expect(toParameter(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(toParameter(new Date(8.64e15))).toMatch(/^275760-09-13T/);
    expect(toParameter(undefined)).toBeNull();
    expect(toParameter([1, null, 'a'])).toBe('{"1",NULL,"a"}');
  });
});
