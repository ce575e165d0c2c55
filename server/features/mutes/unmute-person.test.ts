import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { listedTexts, postStatus } from '../../testing/posting.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('DELETE /people/{user_id}/mute', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('brings back their statuses and what was notified before, and nothing from meanwhile', async () => {
    const { alice, bob } = people;
    await follow(world, await createTag(world, bob, 'heard'), alice);
    await postStatus(world, bob, 'Before, with @alice');
    const texts = async () => (await itemsOf(world, '/notifications', alice)).map(({ id }: { id: string }) => id);
    const before = await texts();
    expect(before).toHaveLength(1);
    await world.call(`PUT /people/${bob.id}/mute`, { token: alice.token });
    await postStatus(world, bob, 'Meanwhile, with @alice');
    expect(await texts()).toEqual([]);
    const unmute = () => world.call(`DELETE /people/${bob.id}/mute`, { token: alice.token });
    expect((await unmute()).status).toBe(204);
    expect((await unmute()).body.error.code).toBe('not_found');
    expect(await listedTexts(world, '/feed', alice)).toEqual(['Meanwhile, with @alice', 'Before, with @alice']);
    expect(await texts()).toEqual(before);
    expect((await world.call(`GET /people/${bob.id}`, { token: alice.token })).body.muted).toBe(false);
  });
});
