import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../testing/following.ts';
import { findPersonas, advanceSeconds, type Personas } from '../testing/personas.ts';
import { poll } from '../testing/running-service.ts';
import { restoreBeforeEach } from '../testing/restore-world.ts';
import { createWorld, type World } from '../testing/world.ts';
import { createPresence } from './presence.ts';

describe('presence', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    await follow(world, await createTag(world, alice, 'alices'), bob);
    await follow(world, await createTag(world, bob, 'bobs'), alice);
    await follow(world, await createTag(world, bob, 'bobs-too'), carol);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** What somebody was told of others: names, with + for coming and - for going. */
  const told = async ({ id }: { id: string }) =>
    (await world.events(`user:${id}`))
      .filter(({ type }) => type === 'presence.updated')
      .map(({ data }) => `${data.online ? '+' : '-'}${data.user.username}`);
  const becomes = (who: { id: string }, wanted: string[]) =>
    poll(async () => (await told(who)).join() === wanted.join(), `${wanted.join()} to be told`);

  it('is told to those who follow each other, once for all devices, and ends after the last', async () => {
    const { alice, bob, carol } = people;
    const keeper = createPresence(world.app.services, 'one', 5);
    const leaves = [keeper.arrive(bob.id), keeper.arrive(bob.id)];
    await becomes(alice, ['+bob']);
    expect(await told(carol)).toEqual([]);
    const present = await itemsOf(world, '/presence', alice);
    expect(present).toMatchObject([{ user: { username: 'bob' }, online: true }]);
    expect(await itemsOf(world, '/presence', carol)).toEqual([]);
    leaves[0]?.();
    leaves[0]?.();
    leaves[1]?.();
    await becomes(alice, ['+bob', '-bob']);
    expect(await itemsOf(world, '/presence', alice)).toEqual([]);
    keeper.close();
  });

  /** Bob comes, and alice is told. */
  async function bobComes(node_id: string, grace_ms: number) {
    const before = await told(people.alice);
    const keeper = createPresence(world.app.services, node_id, grace_ms);
    const leave = keeper.arrive(people.bob.id);
    await becomes(people.alice, [...before, '+bob']);
    return { before, keeper, leave };
  }

  it('tells nothing of a change of networks within the grace', async () => {
    const { alice, bob } = people;
    const { before, keeper, leave } = await bobComes('two', 60_000);
    leave();
    const leave_again = keeper.arrive(bob.id);
    leave_again();
    keeper.close();
    expect(await told(alice)).toEqual([...before, '+bob']);
    await world.app.services.db.native.query('delete from presence');
  });

  it('tells nothing when a node dies and its people come back on another, and of those who do not', async () => {
    const { alice, bob } = people;
    const before = await told(bob);
    const [dead, alive] = [
      createPresence(world.app.services, 'dead', 5),
      createPresence(world.app.services, 'alive', 5),
    ];
    dead.arrive(alice.id);
    await becomes(bob, [...before, '+alice']);
    dead.close();
    alive.arrive(alice.id);
    await poll(async () => (await count()) === 2, 'the second note');
    await advanceSeconds(world, 91);
    await alive.keep();
    expect(await count()).toBe(1);
    expect(await told(bob)).toEqual([...before, '+alice']);
    alive.close();
    await advanceSeconds(world, 91);
    const third = createPresence(world.app.services, 'third', 5);
    await third.keep();
    expect(await told(bob)).toEqual([...before, '+alice', '-alice']);
    third.close();
  });

  const count = async () =>
    (await world.app.services.db.native.query('select count(*)::int as n from presence')).rows[0].n as number;

  it('ends for others when somebody is suspended', async () => {
    const { alice, bob } = people;
    const { before, keeper, leave } = await bobComes('suspended', 5);
    const suspend = (at: string) =>
      world.app.services.db.native.query(`update users set suspended_at = ${at} where id = $1`, [bob.id]);
    await suspend('now()');
    leave();
    await becomes(alice, [...before, '+bob', '-bob']);
    keeper.close();
    await suspend('null');
  });

  it('is not told beyond a block', async () => {
    const { alice, bob } = people;
    await block(world, alice, bob);
    const before = await told(alice);
    const keeper = createPresence(world.app.services, 'four', 5);
    keeper.arrive(bob.id);
    await poll(async () => (await count()) === 1, 'the note');
    expect(await told(alice)).toEqual(before);
    keeper.close();
  });
});
