import { describe, expect, it } from 'vitest';
import { createGroupLink, prepareGroup } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/link', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  it('returns the address to the owner and admins, and 404 without a link', async () => {
    const { alice, bob, carol } = people;
    const get = (by: { token: string }) => world.call(`GET /groups/${group.id}/link`, { token: by.token });
    expect((await get(alice)).status).toBe(404);
    const token = await createGroupLink(world, group, alice);
    expect((await get(alice)).body.url).toMatch(new RegExp(`/g/${token}$`));
    expect([(await get(bob)).status, (await get(carol)).status]).toEqual([403, 404]);
  });
});
