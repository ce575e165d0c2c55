import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /me/invites', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is an empty list for whoever has invited nobody', async () => {
    const { status, body } = await world.call('GET /me/invites?limit=5', { token: people.alice.token });
    expect([status, body]).toEqual([200, { items: [], has_more: false }]);
  });
});
