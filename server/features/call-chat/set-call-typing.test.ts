import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/calling.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /calls/{join_code}/chat/typing', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('emits chat.typing to the other participants only', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    await requestGrants(world, join_code, bob);
    const type = (token: string) => world.call(`POST /calls/${join_code}/chat/typing`, { token, body: {} });
    expect((await type(bob.token)).status).toBe(204);
    const typingSentTo = async (id: string) =>
      (await world.events(`user:${id}`)).filter(({ type: event_type }) => event_type === 'chat.typing');
    const [event, ...more] = await typingSentTo(alice.id);
    expect(more).toEqual([]);
    expect(event?.data).toMatchObject({ conference_id, join_code, user: { id: bob.id, username: 'bob' } });
    expect(await typingSentTo(bob.id)).toEqual([]);
    expect(await typingSentTo(carol.id)).toEqual([]);
    expect((await type(carol.token)).status).toBe(404);
    // A participant who has left cannot write.
    await connectMedia(world, conference_id, alice, bob);
    await world.call(`POST /calls/${join_code}/leave`, { token: bob.token, body: {} });
    expect((await type(bob.token)).status).toBe(409);
    expect(await typingSentTo(alice.id)).toHaveLength(1);
  });
});
