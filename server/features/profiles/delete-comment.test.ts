import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comment } from '../../testing/commenting.ts';
import { block, itemsOf, createTag } from '../../testing/following.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

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

  it('is for the author and the owner; the notification goes with it', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'board');
    const [one, two] = [await comment(world, tag, bob, 'One @carol'), await comment(world, tag, bob, 'Two')];
    const refused = await remove('board', one, carol);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect(await itemsOf(world, '/notifications', carol)).toHaveLength(1);
    expect((await remove('board', one, bob)).status).toBe(204);
    expect(await itemsOf(world, '/notifications', carol)).toEqual([]);
    expect(await itemsOf(world, '/notifications', alice)).toHaveLength(1);
    expect((await remove('board', two, alice)).status).toBe(204);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect((await remove('board', two, alice)).status).toBe(404);
    for (const who of [alice, bob])
      expect(await world.events(`user:${who.id}`)).toContainEqual({
        type: 'comment.deleted',
        data: { id: two.id, tag_id: tag.id },
      });
  });

  it('stands under its own profile alone, by any name of it', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'first-name');
    await createTag(world, alice, 'another');
    const one = await comment(world, tag, bob, 'One');
    expect((await remove('another', one, bob)).status).toBe(404);
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: 'second-name' } });
    expect((await remove('first-name', one, bob)).status).toBe(204);
  });

  it('lets the author take back what stands where they are blocked; nobody else sees it there', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'left-behind');
    const [mine, theirs] = [await comment(world, tag, bob, 'Mine'), await comment(world, tag, carol, 'Theirs')];
    await block(world, alice, bob);
    expect((await remove('left-behind', theirs, bob)).status).toBe(404);
    expect((await remove('left-behind', mine, alice)).status).toBe(404);
    expect((await remove('left-behind', mine, bob)).status).toBe(204);
  });
});
