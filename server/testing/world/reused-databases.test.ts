import { describe, expect, it } from 'vitest';
import { findPersonas } from './personas.ts';
import { createWorld, type World } from './world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const databaseOf = (world: World) => world.app.services.db.native.options.connectionString;
const addTag = (world: World, name: string) =>
  world.call('POST /xtags', { token: findPersonas().alice.token, body: { name } });
const positions = async (world: World) =>
  (await world.app.services.db.native.query('select last_value from events_position_seq')).rows;

describe('the database of a world', () => {
  it('is reused by the next world with identical content', async () => {
    const first = await createWorld();
    const before = [
      await positions(first),
      (await first.app.services.db.native.query('select * from users order by id')).rows,
    ];
    expect((await addTag(first, 'evenings')).status).toBe(201);
    await first.app.services.db.native.query("update users set username = 'somebody' where username = 'bob'");
    await first.app.services.db.native.query('delete from session_tokens');
    await first.close();
    const second = await createWorld();
    expect(databaseOf(second)).toBe(databaseOf(first));
    expect([
      await positions(second),
      (await second.app.services.db.native.query('select * from users order by id')).rows,
    ]).toEqual(before);
    expect((await addTag(second, 'evenings')).status).toBe(201);
    await second.close();
  });

  it.each([
    ['another table', 'create table others (id int)'],
    ['another column', 'alter table users add column other int'],
    ['no key', 'alter table users drop constraint users_pkey cascade'],
    ['statistics', 'analyze users'],
  ])('is not reused once it has %s', slow, async (_what, statement) => {
    const first = await createWorld();
    await first.app.services.db.native.query(statement);
    await first.close();
    const second = await createWorld();
    expect(databaseOf(second)).not.toBe(databaseOf(first));
    await second.close();
  });

  it('rejects queries of a closed world', async () => {
    const world = await createWorld();
    const { db } = world.app.services;
    await world.close();
    expect(() => db.native.query('select 1')).toThrow('Cannot use a pool');
    expect(() => db.transaction(async () => undefined)).toThrow('Cannot use a pool');
  });
});
