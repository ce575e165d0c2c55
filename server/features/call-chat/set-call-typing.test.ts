import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { listenTo, storedTypes } from '../../testing/world/listening.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/{join_code}/chat/typing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('sends chat.typing to the other participants only, and stores nothing', slow, async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, join_code, bob);
    const type = (token: string) => world.call(`POST /calls/${join_code}/chat/typing`, { token, body: {} });
    const [to_alice, to_bob, to_carol] = [
      await listenTo(world, alice, 'chat.typing'),
      await listenTo(world, bob, 'chat.typing'),
      await listenTo(world, carol, 'chat.typing'),
    ];
    expect((await type(bob.token)).status).toBe(204);
    await expect
      .poll(() => to_alice())
      .toMatchObject([{ conference_id, join_code, user: { id: bob.id, username: 'bob' } }]);
    expect([to_bob(), to_carol()]).toEqual([[], []]);
    expect((await type(carol.token)).status).toBe(404);
    // A participant who has left cannot write.
    await connectMedia(world, conference_id, alice, bob);
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    expect((await type(bob.token)).status).toBe(409);
    expect(to_alice()).toHaveLength(1);
    expect(await storedTypes(world)).not.toContain('chat.typing');
  });
});
