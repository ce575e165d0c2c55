import { describe, expect, it } from 'vitest';
import { joinGroup, prepareGroup, readGroup, setGroupAdmin } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/admins/{user_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  it('makes an admin an ordinary member: by the owner, or the admin', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    for (const by of [alice, bob]) {
      await setGroupAdmin(world, group, bob, alice);
      expect((await readGroup(world, group, bob)).role).toBe('admin');
      expect((await setGroupAdmin(world, group, bob, carol, 'DELETE')).status).toBe(403);
      expect((await setGroupAdmin(world, group, bob, by, 'DELETE')).status).toBe(204);
      expect((await readGroup(world, group, bob)).role).toBe('member');
    }
    expect((await setGroupAdmin(world, group, { id: `usr_${'0'.repeat(26)}` }, alice, 'DELETE')).status).toBe(404);
  });
});
