import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /me/im-identities/{im_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('removes an identity of the caller once, and returns 404 for those of others', async () => {
    const { alice, bob } = people;
    const body = { network: 'xmpp', handle: 'alice@example.org' };
    const { id } = (await world.call('POST /me/im-identities', { token: alice.token, body })).body;
    const remove = (token: string) => world.call(`DELETE /me/im-identities/${id}`, { token });
    const outsider_response = await remove(bob.token);
    expect([outsider_response.status, outsider_response.body.error.code]).toEqual([404, 'not_found']);
    expect((await remove(alice.token)).status).toBe(204);
    expect((await world.call('GET /me/im-identities', { token: alice.token })).body.items).toEqual([]);
    expect((await remove(alice.token)).status).toBe(404);
  });
});
