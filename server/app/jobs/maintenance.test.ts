import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFollow, createTag } from '../../testing/steps/follows.ts';
import { register, signInAgain } from '../../testing/world/personas.ts';
import { refuseBulk } from '../../testing/attacks/refuse-bulk.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { runMaintenance } from './maintenance.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('maintenance', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
    // The first run after the start, which schedules the next one.
    await runMaintenance(world.app.services);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('runs again an hour later, also after a failure', async () => {
    const { db } = world.app.services;
    await db.native.query('alter table spent_grants rename to spent_grants_away');
    await world.clock.advance(3601);
    await world.settle();
    await db.native.query('alter table spent_grants_away rename to spent_grants');
    await db.native.query(`insert into spent_grants values ('old', '2000-01-01T00:00:00Z')`);
    await world.clock.advance(3601);
    await world.settle();
    expect((await db.native.query('select 1 from spent_grants')).rowCount).toBe(0);
  });

  it(
    'removes sessions a day after the last of their tokens has expired, whether they were ended or not',
    slow,
    async () => {
      const ann = await register(world, 'olda', 11);
      const ended = await signInAgain(world, ann);
      await world.call('POST /auth/logout', { token: ended.token, body: {} });
      const { db } = world.app.services;
      const count = async () => (await db.native.query('select 1 from sessions')).rowCount;
      expect(await count()).toBe(2);
      await world.clock.advance(60 * 86_400);
      await world.settle();
      expect(await count()).toBe(2);
      await world.clock.advance(86_400 + 3600);
      await world.settle();
      expect(await count()).toBe(0);
    },
  );

  it('removes the notifications of expired follow requests', async () => {
    const [anna, bente] = [await register(world, 'anna', 1), await register(world, 'bente', 2)];
    const tag = await createTag(world, anna, 'asked', { follow_policy: 'approval' });
    await requestFollow(world, tag, bente);
    const notificationKinds = async () => {
      const { rows } = await world.app.services.db.native.query(`select kind from notifications where user_id = $1`, [
        anna.id,
      ]);
      return rows.map(({ kind }: { kind: string }) => kind);
    };
    await world.clock.advance(30 * 86_400 - 60);
    await world.settle();
    expect(await notificationKinds()).toEqual(['follow_request']);
    await world.clock.advance(3660);
    await world.settle();
    expect(await notificationKinds()).toEqual([]);
  });
});

describe('many expired rows', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
    await runMaintenance(world.app.services);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('are deleted in portions, since events of anybody wait for a statement that deletes', async () => {
    const { native } = world.app.services.db;
    await native.query(`
      insert into events (topic, type, data, at) select 'user:x', 'test.old', '{}', '2000-01-01' from generate_series(1, 2500)`);
    await native.query(`
      insert into idempotency (owner, operation, key_hash, body_hash, status, reply, created_at)
      select 'x', 'test', n, '', 200, '', '2000-01-01' from generate_series(1, 2500) n`);
    for (const table of ['events', 'idempotency']) await refuseBulk(world, table);
    await world.clock.advance(3601);
    await world.settle();
    const left = await native.query(`
      select (select count(*)::int from events where type = 'test.old') as events, (select count(*)::int from idempotency) as answers`);
    expect(left.rows).toEqual([{ events: 0, answers: 0 }]);
  });

  it('of a deleted account are deleted after it, in portions', slow, async () => {
    const { native } = world.app.services.db;
    const ann = await register(world, 'busy', 12);
    const tag = await createTag(world, ann, 'busy');
    for (const topic of [`user:${ann.id}`, `stream:${ann.id}`, `stream:${tag.id}`])
      await native.query(
        `insert into events (topic, type, data, at) select $1, 'test.own', '{}', now() from generate_series(1, 2500)`,
        [topic],
      );
    const { status } = await world.call('DELETE /me', { token: ann.token, body: { password: ann.password } });
    expect(status).toBe(204);
    await world.settle();
    expect((await native.query(`select 1 from events where type = 'test.own'`)).rowCount).toBe(0);
  });
});
