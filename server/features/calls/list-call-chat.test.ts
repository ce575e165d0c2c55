import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/calling.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /calls/{join_code}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is readable by current and past participants, newest first', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    const read = (token: string, query = '') => world.call(`GET /calls/${join_code}/chat${query}`, { token });
    const send = (body: string) => world.call(`POST /calls/${join_code}/chat`, { token: alice.token, body: { body } });
    await send('while they rang');
    expect((await read(bob.token)).status).toBe(404);
    await requestGrants(world, join_code, bob);
    // A joining participant can already read and write, and can read these messages later.
    for (const body of ['one', 'two', 'three']) await send(body);
    expect((await read(bob.token)).body.items).toHaveLength(3);
    await connectMedia(world, conference_id, alice, bob);
    const page = (await read(bob.token, '?limit=2')).body;
    expect(page.items.map(({ body }: { body: string }) => body)).toEqual(['three', 'two']);
    expect(page.has_more).toBe(true);
    const rest = (await read(bob.token, `?before_id=${page.items[1].id}`)).body;
    expect([rest.items[0].body, rest.items.length, rest.has_more]).toEqual(['one', 1, false]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await read(bob.token)).body.items).toHaveLength(3);
    expect((await read(alice.token)).body.items).toHaveLength(4);
    expect((await read(carol.token)).status).toBe(404);
  });
});
