import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /xtags/{xtag_id}/followers', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists followers, newest first, except those with a block to the viewer', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'listed');
    await follow(world, tag, bob);
    await follow(world, tag, carol);
    const list = async ({ token }: { token: string }, query = '') =>
      (await world.call(`GET /xtags/${tag.id}/followers${query}`, { token })).body;
    const names = (page: { items: { user: { username: string } }[] }) => page.items.map(({ user }) => user.username);
    expect(names(await list(bob))).toEqual(['carol', 'bob']);
    const first = await list(alice, '?limit=1');
    expect([names(first), first.has_more]).toEqual([['carol'], true]);
    expect(names(await list(alice, `?before_id=${first.items[0].id}`))).toEqual(['bob']);
    await block(world, bob, carol);
    expect(names(await list(bob))).toEqual(['bob']);
    expect(names(await list(alice))).toEqual(['carol', 'bob']);
  });

  it('returns 404 for a private tag', async () => {
    const tag = await createTag(world, people.alice, 'unlisted', { visibility: 'private' });
    expect((await world.call(`GET /xtags/${tag.id}/followers`, { token: people.bob.token })).status).toBe(404);
  });
});
