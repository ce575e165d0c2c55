import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenTo, storedTypes } from '../../testing/world/listening.ts';
import { answerRequest, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /dm/threads/{thread_id}/typing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('sends dm.typing to the peer, in an active thread only, and stores nothing', async () => {
    const { alice, bob, carol } = people;
    const thread = await openThread(world, alice, bob);
    await sendMessage(world, thread, alice, 'May I?');
    const type = (token: string) => world.call(`POST /dm/threads/${thread.id}/typing`, { token, body: {} });
    const to_alice = await listenTo(world, alice, 'dm.typing');
    const to_bob = await listenTo(world, bob, 'dm.typing');
    for (const { token } of [alice, bob]) expect((await type(token)).status).toBe(204);
    expect([to_alice(), to_bob()]).toEqual([[], []]);
    await answerRequest(world, thread, bob, 'accept');
    expect((await type(bob.token)).status).toBe(204);
    await expect.poll(() => to_alice()).toMatchObject([{ thread_id: thread.id, user: { id: bob.id } }]);
    expect((await type(carol.token)).status).toBe(404);
    expect(to_bob()).toEqual([]);
    expect(await storedTypes(world)).not.toContain('dm.typing');
  });
});
