import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comment } from '../../testing/steps/comments.ts';
import { block, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /profiles/{xtag}/comments', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const list = async (query = '', token?: string) =>
    (await world.call(`GET /profiles/wall/comments${query}`, { token })).body;
  const texts = async (token?: string) => (await list('', token)).items.map(({ body }: { body: string }) => body);

  /** Creates a tag with one comment of each user, oldest first. */
  async function fillWall() {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'wall');
    const comments = [];
    for (const [at, who] of [bob, carol, alice].entries())
      comments.push(await comment(world, tag, who, `number ${at}`));
    return comments;
  }

  it('is readable without an account, newest first, and paginates', async () => {
    const comments = await fillWall();
    expect((await list()).items).toEqual(comments.toReversed());
    const first = await list('?limit=2');
    expect([first.items.length, first.has_more]).toEqual([2, true]);
    const rest = await list(`?limit=2&before_id=${first.items[1].id}`);
    expect([rest.items, rest.has_more]).toEqual([[comments[0]], false]);
  });

  it('omits comments across a block, for its two users only', async () => {
    const { bob, carol } = people;
    await fillWall();
    await block(world, bob, carol);
    expect(await texts()).toEqual(['number 2', 'number 1', 'number 0']);
    expect(await texts(bob.token)).toEqual(['number 2', 'number 0']);
    expect(await texts(carol.token)).toEqual(['number 2', 'number 1']);
  });
});
