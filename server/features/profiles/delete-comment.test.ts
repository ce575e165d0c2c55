import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comment } from '../../testing/steps/comments.ts';
import { block, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /profiles/{xtag}/comments/{comment_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const remove = (name: string, { id }: { id: string }, { token }: Persona) =>
    world.call(`DELETE /profiles/${name}/comments/${id}`, { token });

  it('is allowed to the author and the owner of the tag, and removes the notification', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'board');
    const [first, second] = [await comment(world, tag, bob, 'One @carol'), await comment(world, tag, bob, 'Two')];
    const refused = await remove('board', first, carol);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect(await itemsOf(world, '/notifications', carol)).toHaveLength(1);
    expect((await remove('board', first, bob)).status).toBe(204);
    expect(await itemsOf(world, '/notifications', carol)).toEqual([]);
    expect(await itemsOf(world, '/notifications', alice)).toHaveLength(1);
    expect((await remove('board', second, alice)).status).toBe(204);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect((await remove('board', second, alice)).status).toBe(404);
    for (const who of [alice, bob])
      expect(await world.events(`user:${who.id}`)).toContainEqual({
        type: 'comment.deleted',
        data: { id: second.id, tag_id: tag.id },
      });
  });

  it('requires the profile of the comment, by a current or former name', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'first-name');
    await createTag(world, alice, 'another');
    const first = await comment(world, tag, bob, 'One');
    expect((await remove('another', first, bob)).status).toBe(404);
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: 'second-name' } });
    expect((await remove('first-name', first, bob)).status).toBe(204);
  });

  it('allows an author who is blocked by the owner to delete the own comment only', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'left-behind');
    const [mine, theirs] = [await comment(world, tag, bob, 'Mine'), await comment(world, tag, carol, 'Theirs')];
    await block(world, alice, bob);
    expect((await remove('left-behind', theirs, bob)).status).toBe(404);
    expect((await remove('left-behind', mine, alice)).status).toBe(404);
    expect((await remove('left-behind', mine, bob)).status).toBe(204);
  });
});
