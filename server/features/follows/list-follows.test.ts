import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /follows', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('lists followed tags by the time of following, newest first', async () => {
    const { alice, bob, carol } = people;
    const [first_tag, second_tag] = [
      await createTag(world, alice, 'one-tag'),
      await createTag(world, carol, 'two-tag'),
    ];
    await follow(world, second_tag, bob);
    await follow(world, first_tag, bob);
    const items = await itemsOf(world, '/follows', bob);
    expect(items.map(({ tag }: { tag: { name: string } }) => tag.name)).toEqual(['one-tag', 'two-tag']);
    expect(items[0]).toMatchObject({ tag: { following: true, follower_count: 1 }, followed_at: items[0].followed_at });
    const page = await world.call('GET /follows?limit=1', { token: bob.token });
    expect(page.body.has_more).toBe(true);
    expect(await itemsOf(world, `/follows?before_id=${page.body.items[0].id}`, bob)).toHaveLength(1);
    await block(world, carol, bob);
    expect(await itemsOf(world, '/follows', bob)).toHaveLength(1);
  });

  it('keeps a tag that became private, since its followers may see it', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'later-private');
    await follow(world, tag, bob);
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { visibility: 'private' } });
    const items = await itemsOf(world, '/follows', bob);
    expect(items[0].tag).toMatchObject({ name: 'later-private', visibility: 'private' });
  });
});
