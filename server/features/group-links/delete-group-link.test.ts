import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGroup, createGroupLink, joinByLink, joinGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/link', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    group = await createGroup(world, people.alice, 'Choir');
    await joinGroup(world, group, people.alice, people.bob);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('revokes the link, and a new one has another address', async () => {
    const { alice, bob, carol } = people;
    const remove = (by: { token: string }) => world.call(`DELETE /groups/${group.id}/link`, { token: by.token });
    expect((await remove(alice)).status).toBe(404);
    const token = await createGroupLink(world, group, alice);
    expect([(await remove(bob)).status, (await remove(carol)).status]).toEqual([403, 404]);
    expect((await remove(alice)).status).toBe(204);
    expect((await joinByLink(world, token, carol)).status).toBe(410);
    expect(await createGroupLink(world, group, alice)).not.toBe(token);
  });
});
