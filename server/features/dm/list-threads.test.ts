import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { answerRequest, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /dm/threads', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const namesOf = async (path: string, who = people.alice) =>
    (await itemsOf(world, path, who)).map(({ peer }: { peer: { username: string } }) => peer.username);

  it('sorts by the newest message, separates requests, and omits threads across a block', async () => {
    const { alice, bob, carol } = people;
    const [to_bob, to_carol] = [await openThread(world, alice, bob), await openThread(world, alice, carol)];
    await sendMessage(world, to_carol, alice, 'One');
    await sendMessage(world, to_bob, alice, 'Two');
    expect(await namesOf('/dm/threads')).toEqual(['bob', 'carol']);
    expect([await namesOf('/dm/threads', bob), await namesOf('/dm/threads?folder=requests', bob)]).toEqual([
      ['alice'],
      ['alice'],
    ]);
    expect(await namesOf('/dm/threads?folder=main', bob)).toEqual([]);
    await answerRequest(world, to_bob, bob, 'decline');
    expect([await namesOf('/dm/threads', bob), await namesOf('/dm/threads?folder=declined', bob)]).toEqual([
      [],
      ['alice'],
    ]);
    expect(await namesOf('/dm/threads')).toEqual(['bob', 'carol']);
    await sendMessage(world, to_carol, carol, 'Back');
    expect(await namesOf('/dm/threads')).toEqual(['carol', 'bob']);
    await block(world, carol, alice);
    expect(await namesOf('/dm/threads')).toEqual(['bob']);
    await world.call(`DELETE /blocks/${alice.id}`, { token: carol.token });
  });

  it('paginates without gaps or repeats while messages arrive', async () => {
    const { alice, bob, carol, uma } = people;
    await world.app.services.db.native.query('delete from dm_threads');
    const threads = [];
    for (const peer of [bob, carol, uma]) {
      const thread = await openThread(world, alice, peer);
      await sendMessage(world, thread, alice, `To ${peer.username}`);
      threads.push(thread);
    }
    const page = (await world.call('GET /dm/threads?limit=1', { token: alice.token })).body;
    expect([page.items[0].peer.username, page.has_more]).toEqual(['uma', true]);
    expect(await namesOf(`/dm/threads?before_id=${page.items[0].id}`)).toEqual(['carol', 'bob']);
    // The thread of the cursor has moved; the cursor of its message still marks the old place.
    const [, second] = (await world.call('GET /dm/threads', { token: alice.token })).body.items;
    await sendMessage(world, threads[1] ?? second, carol, 'Moved up');
    expect(await namesOf(`/dm/threads?before_id=${second.last_message.id}`)).toEqual(['bob']);
    expect(await namesOf(`/dm/threads?before_id=thr_${'z'.repeat(26)}&limit=2`)).toEqual(['carol', 'uma']);
  });
});
