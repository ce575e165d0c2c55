import { describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage, unreadCount, groupTexts } from '../../testing/steps/group-chats.ts';
import { joinGroup, prepareGroup } from '../../testing/steps/groups.ts';
import type { Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('DELETE /groups/{group_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  const remove = (token: string, id: string) => world.call(`DELETE /groups/${group.id}/chat/${id}`, { token });

  it('removes the text but keeps the entry; the author and the owner of the group may do so', async () => {
    const { alice, bob } = people;
    const first = await sendGroupMessage(world, group, bob, 'Mine');
    const second = await sendGroupMessage(world, group, bob, 'Yours to remove');
    expect(await unreadCount(world, group, alice)).toBe(2);
    expect((await remove(bob.token, first.id)).status).toBe(204);
    expect(await unreadCount(world, group, alice)).toBe(1);
    expect((await remove(alice.token, second.id)).status).toBe(204);
    expect(await unreadCount(world, group, alice)).toBe(0);
    expect(await groupTexts(world, group, bob)).toEqual([null, null]);
    const event = (await eventsOf(world, bob, 'chat.deleted')).at(-1);
    expect(event).toMatchObject({ group_id: group.id, message: { id: second.id, body: '', file: null } });
    expect(event.message.deleted_at).toMatch(/Z$/);
    expect((await remove(bob.token, first.id)).status).toBe(404);
  });

  it('returns 403 to other members and 404 to those who cannot read the message', async () => {
    const { alice, bob, carol } = people;
    const message = await sendGroupMessage(world, group, alice, 'Keep');
    const member = await remove(bob.token, message.id);
    expect([member.status, member.body.error.code]).toEqual([403, 'forbidden']);
    const outsider_response = await remove(carol.token, message.id);
    const absent = await remove(bob.token, `chat_${'0'.repeat(26)}`);
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
    await joinGroup(world, group, alice, carol);
    expect((await remove(carol.token, message.id)).status).toBe(404);
  });
});
