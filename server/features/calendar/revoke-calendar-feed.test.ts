import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchAddress } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /calendar/feed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('revokes the URL; reading it returns 404 until it is regenerated', async () => {
    const { alice, bob } = people;
    const { body } = await world.call('GET /calendar/feed', { token: alice.token });
    for (const { token } of [alice, alice, bob])
      expect((await world.call('DELETE /calendar/feed', { token })).status).toBe(204);
    expect((await fetchAddress(world, body.url)).status).toBe(410);
    for (const { token } of [alice, bob]) expect((await world.call('GET /calendar/feed', { token })).status).toBe(404);
    const { responses } = (await world.call('GET /openapi.json')).body.paths['/calendar/feed'].get;
    expect(Object.keys(responses)).toContain('404');
    const regenerated = await world.call('POST /calendar/feed/regenerate', { token: alice.token, body: {} });
    expect(regenerated.status).toBe(201);
    expect((await world.call('GET /calendar/feed', { token: alice.token })).body).toEqual(regenerated.body);
  });
});
