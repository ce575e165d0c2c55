import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /people/{user_id}/mute', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('restores their statuses and earlier notifications, and none from the time of the mute', async () => {
    const { alice, bob } = people;
    await follow(world, await createTag(world, bob, 'heard'), alice);
    await postStatus(world, bob, 'Before, with @alice');
    const notificationIds = async () =>
      (await itemsOf(world, '/notifications', alice)).map(({ id }: { id: string }) => id);
    const before = await notificationIds();
    expect(before).toHaveLength(1);
    await world.call(`PUT /people/${bob.id}/mute`, { token: alice.token });
    await postStatus(world, bob, 'Meanwhile, with @alice');
    expect(await notificationIds()).toEqual([]);
    const unmute = () => world.call(`DELETE /people/${bob.id}/mute`, { token: alice.token });
    expect((await unmute()).status).toBe(204);
    expect((await unmute()).body.error.code).toBe('not_found');
    expect(await listedTexts(world, '/feed', alice)).toEqual(['Meanwhile, with @alice', 'Before, with @alice']);
    expect(await notificationIds()).toEqual(before);
    expect((await world.call(`GET /people/${bob.id}`, { token: alice.token })).body.muted).toBe(false);
  });
});
