import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, createGroup, readGroup } from '../../testing/steps/grouping.ts';
import { fetchSigned, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /groups/{group_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('changes only the given fields and emits group.updated to members; only the owner may do so', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir', { description: 'Tuesdays' });
    await joinGroup(world, group, alice, bob);
    const edit = (who: typeof bob, body: object) => world.call(`PATCH /groups/${group.id}`, { token: who.token, body });
    const image = await uploadPicture(world, alice);
    const { status, body } = await edit(alice, { name: 'Big choir', avatar_file_id: image.id });
    expect([status, body.name, body.description]).toEqual([200, 'Big choir', 'Tuesdays']);
    const seen = await readGroup(world, group, bob);
    expect((await fetchSigned(world, seen.avatar_url)).status).toBe(200);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'group.updated', data: { id: group.id } });
    const by_member = await edit(bob, { name: 'Mine' });
    expect([by_member.status, by_member.body.error.code]).toEqual([403, 'forbidden']);
    expect((await edit(carol, { name: 'Mine' })).status).toBe(404);
    expect((await edit(alice, { avatar_file_id: null })).body.avatar_url).toBe(null);
    expect((await fetchSigned(world, seen.avatar_url)).status).toBe(404);
  });
});
