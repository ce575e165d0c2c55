import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest, eventsOf, openThread, sendMessage } from '../../testing/messaging.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /dm/threads/{thread_id}/typing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('emits dm.typing to the peer, in an active thread only', async () => {
    const { alice, bob, carol } = people;
    const thread = await openThread(world, alice, bob);
    await sendMessage(world, thread, alice, 'May I?');
    const type = (token: string) => world.call(`POST /dm/threads/${thread.id}/typing`, { token, body: {} });
    const typingCounts = async () => [
      (await eventsOf(world, alice, 'dm.typing')).length,
      (await eventsOf(world, bob, 'dm.typing')).length,
    ];
    for (const { token } of [alice, bob]) expect((await type(token)).status).toBe(204);
    expect(await typingCounts()).toEqual([0, 0]);
    await answerRequest(world, thread, bob, 'accept');
    expect((await type(bob.token)).status).toBe(204);
    expect(await typingCounts()).toEqual([1, 0]);
    expect((await eventsOf(world, alice, 'dm.typing'))[0]).toMatchObject({
      thread_id: thread.id,
      user: { id: bob.id },
    });
    expect((await type(carol.token)).status).toBe(404);
  });
});
