import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /notifications/{note_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('deletes a notification of the caller, once', async () => {
    const { alice, bob } = people;
    await follow(world, await createTag(world, alice, 'one-tag'), bob);
    const [note] = await itemsOf(world, '/notifications', alice);
    const remove = ({ token }: { token: string }) => world.call(`DELETE /notifications/${note.id}`, { token });
    expect((await remove(bob)).status).toBe(404);
    expect((await remove(alice)).status).toBe(204);
    expect((await remove(alice)).status).toBe(404);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
  });
});
