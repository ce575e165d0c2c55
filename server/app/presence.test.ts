import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../testing/steps/follows.ts';
import { findPersonas, advanceSeconds, type Personas } from '../testing/world/personas.ts';
import { poll } from '../testing/running/running-service.ts';
import { restoreBeforeEach } from '../testing/world/restore-world.ts';
import { createWorld, type World } from '../testing/world/world.ts';
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

  /** The presence events that a user has received: names, with + for online and - for offline. */
  const presenceEvents = async ({ id }: { id: string }) =>
    (await world.events(`user:${id}`))
      .filter(({ type }) => type === 'presence.updated')
      .map(({ data }) => `${data.online ? '+' : '-'}${data.user.username}`);
  const expectEvents = (who: { id: string }, expected: string[]) =>
    poll(async () => (await presenceEvents(who)).join() === expected.join(), `${expected.join()} to be received`);

  it('is sent to mutual followers, once for all devices, and ends with the last device', async () => {
    const { alice, bob, carol } = people;
    const presence = createPresence(world.app.services, 'one', 5);
    const leaves = [presence.arrive(bob.id), presence.arrive(bob.id)];
    await expectEvents(alice, ['+bob']);
    expect(await presenceEvents(carol)).toEqual([]);
    const present = await itemsOf(world, '/presence', alice);
    expect(present).toMatchObject([{ user: { username: 'bob' }, online: true }]);
    expect(await itemsOf(world, '/presence', carol)).toEqual([]);
    leaves[0]?.();
    leaves[0]?.();
    leaves[1]?.();
    await expectEvents(alice, ['+bob', '-bob']);
    expect(await itemsOf(world, '/presence', alice)).toEqual([]);
    presence.close();
  });

  /** Sets bob online, and waits until alice has received it. */
  async function setBobOnline(node_id: string, grace_ms: number) {
    const before = await presenceEvents(people.alice);
    const presence = createPresence(world.app.services, node_id, grace_ms);
    const leave = presence.arrive(people.bob.id);
    await expectEvents(people.alice, [...before, '+bob']);
    return { before, presence, leave };
  }

  it('sends no event for a reconnect within the grace period', async () => {
    const { alice, bob } = people;
    const { before, presence, leave } = await setBobOnline('two', 60_000);
    leave();
    const leave_again = presence.arrive(bob.id);
    leave_again();
    presence.close();
    expect(await presenceEvents(alice)).toEqual([...before, '+bob']);
    await world.app.services.db.native.query('delete from presence');
  });

  it('sends no event when users reconnect to another node after a crash, and an offline event when they do not', async () => {
    const { alice, bob } = people;
    const before = await presenceEvents(bob);
    const [dead, alive] = [
      createPresence(world.app.services, 'dead', 5),
      createPresence(world.app.services, 'alive', 5),
    ];
    dead.arrive(alice.id);
    await expectEvents(bob, [...before, '+alice']);
    dead.close();
    alive.arrive(alice.id);
    await poll(async () => (await count()) === 2, 'the second row');
    await advanceSeconds(world, 91);
    await alive.keep();
    expect(await count()).toBe(1);
    expect(await presenceEvents(bob)).toEqual([...before, '+alice']);
    alive.close();
    await advanceSeconds(world, 91);
    const third = createPresence(world.app.services, 'third', 5);
    await third.keep();
    expect(await presenceEvents(bob)).toEqual([...before, '+alice', '-alice']);
    third.close();
  });

  const count = async () =>
    (await world.app.services.db.native.query('select count(*)::int as n from presence')).rows[0].n as number;

  it('sends the offline event of a suspended user', async () => {
    const { alice, bob } = people;
    const { before, presence, leave } = await setBobOnline('suspended', 5);
    const suspend = (at: string) =>
      world.app.services.db.native.query(`update users set suspended_at = ${at} where id = $1`, [bob.id]);
    await suspend('now()');
    leave();
    await expectEvents(alice, [...before, '+bob', '-bob']);
    presence.close();
    await suspend('null');
  });

  it('sends no event across a block', async () => {
    const { alice, bob } = people;
    await block(world, alice, bob);
    const before = await presenceEvents(alice);
    const presence = createPresence(world.app.services, 'four', 5);
    presence.arrive(bob.id);
    await poll(async () => (await count()) === 1, 'the row');
    expect(await presenceEvents(alice)).toEqual(before);
    presence.close();
  });
});
