import { describe, expect, it } from 'vitest';
import { createGroupLink, joinByLink, prepareGroup } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/link', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

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
