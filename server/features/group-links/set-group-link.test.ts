import { describe, expect, it } from 'vitest';
import { createGroupLink, prepareGroup, setGroupAdmin } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/link', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Choir', (given) => {
    ({ world, people, group } = given);
  });

  const set = (by: { token: string }) => world.call(`PUT /groups/${group.id}/link`, { token: by.token });

  it('creates one link, for the owner and admins, that shows the group without an account', async () => {
    const { alice, bob, carol } = people;
    expect([(await set(bob)).status, (await set(carol)).status]).toEqual([403, 404]);
    await setGroupAdmin(world, group, bob, alice);
    const [made, again] = [await set(bob), await set(alice)];
    expect([made.status, again.status, again.body]).toEqual([201, 200, made.body]);
    const { status, body } = await world.call(`GET /public-links/${await createGroupLink(world, group, alice)}`);
    expect([status, body]).toEqual([
      200,
      {
        kind: 'group',
        id: group.id,
        name: 'Choir',
        description: '',
        avatar_url: null,
        owner: expect.objectContaining({ username: 'alice' }),
        people_count: 2,
      },
    ]);
  });
});
