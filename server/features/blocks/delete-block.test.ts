import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /blocks/{blocked_user_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('makes the two visible to each other again and restores no follows', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'again');
    await follow(world, tag, bob);
    await block(world, alice, bob);
    const unblock = (id: string) => world.call(`DELETE /blocks/${id}`, { token: alice.token });
    expect((await unblock(bob.id)).status).toBe(204);
    expect((await unblock(bob.id)).body.error.code).toBe('not_found');
    expect((await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body).toMatchObject({
      following: false,
      follower_count: 0,
    });
    expect(await itemsOf(world, '/blocks', alice)).toEqual([]);
  });

  it('leaves the block of the other user in place', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'still');
    await block(world, alice, bob);
    await block(world, bob, alice);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    expect((await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).status).toBe(404);
  });
});
