import { describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage, unreadCount } from '../../testing/steps/group-chats.ts';
import { createGroup, prepareGroup } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('POST /groups/{group_id}/chat/read', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  it('counts the remaining unread messages, and never moves backwards', async () => {
    const { alice, bob, carol } = people;
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) ids.push((await sendGroupMessage(world, group, alice, text)).id);
    const read = (token: string, up_to_id?: string) =>
      world.call(`POST /groups/${group.id}/chat/read`, { token, body: { up_to_id } });
    expect(await unreadCount(world, group, bob)).toBe(3);
    expect((await read(bob.token, ids[1])).status).toBe(204);
    expect(await unreadCount(world, group, bob)).toBe(1);
    expect((await read(bob.token, ids[0])).status).toBe(204);
    expect(await unreadCount(world, group, bob)).toBe(1);
    expect(await eventsOf(world, bob, 'chat.read')).toEqual([
      { group_id: group.id, up_to_id: ids[1], unread_count: 1, unread_mentions: 0 },
    ]);
    expect((await read(carol.token, ids[1])).status).toBe(404);
    const elsewhere = await createGroup(world, bob, 'Other');
    const foreign = await sendGroupMessage(world, elsewhere, bob, 'x');
    const invalid = await read(bob.token, foreign.id);
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['up_to_id']]);
  });
});
