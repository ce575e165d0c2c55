import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /notifications/unread-count', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the number of unread notifications', async () => {
    const { alice, bob } = people;
    const count = async () => (await world.call('GET /notifications/unread-count', { token: alice.token })).body;
    expect(await count()).toEqual({ count: 0 });
    for (const name of ['one-tag', 'two-tag']) await follow(world, await createTag(world, alice, name), bob);
    expect(await count()).toEqual({ count: 2 });
    await world.call('POST /notifications/read-all', { token: alice.token, body: {} });
    expect(await count()).toEqual({ count: 0 });
  });
});
