import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { inSeconds } from '../../testing/steps/location.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /location/links', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists valid links of the caller, newest first', async () => {
    const { alice, bob } = people;
    const links = [];
    for (const seconds of [100, 1000]) {
      const body = { expires_at: inSeconds(world, seconds) };
      links.unshift((await world.call('POST /location/links', { token: alice.token, body })).body);
    }
    expect(await itemsOf(world, '/location/links', alice)).toEqual(links);
    expect(await itemsOf(world, '/location/links', bob)).toEqual([]);
    expect(await itemsOf(world, `/location/links?before_id=${links[0].id}`, alice)).toEqual([links[1]]);
    await advanceSeconds(world, 100);
    expect(await itemsOf(world, '/location/links', alice)).toEqual([links[0]]);
  });
});
