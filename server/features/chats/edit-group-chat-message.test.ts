import { describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage, unreadCount, groupTexts } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { joinGroup, prepareGroup } from '../../testing/steps/groups.ts';
import { advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('PATCH /groups/{group_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup('Band', (given) => {
    ({ world, people, group } = given);
  });

  const edit = ({ id }: { id: string }, { token }: Persona, body: string) =>
    world.call(`PATCH /groups/${group.id}/chat/${id}`, { token, body: { body } });

  it('changes the text, emits chat.edited to all readers, and leaves unread counts unchanged', async () => {
    const { alice, bob } = people;
    const message = await sendGroupMessage(world, group, bob, 'Rehearsal at six');
    const { status, body } = await edit(message, bob, 'Rehearsal at seven');
    expect([status, body.body, body.edited_at]).toEqual([200, 'Rehearsal at seven', expect.any(String)]);
    expect(await groupTexts(world, group, alice)).toEqual(['Rehearsal at seven']);
    expect(await unreadCount(world, group, alice)).toBe(1);
    for (const who of [alice, bob])
      expect((await eventsOf(world, who, 'chat.edited')).at(-1)).toEqual({
        group_id: group.id,
        message_id: message.id,
        body: 'Rehearsal at seven',
        mentions: [],
        edited_at: body.edited_at,
      });
  });

  it('is allowed to the author only, for 15 minutes', async () => {
    const { alice, bob, carol } = people;
    const message = await sendGroupMessage(world, group, bob, 'Mine');
    expect((await edit(message, alice, 'Ours')).body.error.code).toBe('forbidden');
    expect((await edit(message, carol, 'Ours')).status).toBe(404);
    await advanceSeconds(world, 15 * 60 + 1);
    expect((await edit(message, bob, 'Late')).body.error.code).toBe('edit_closed');
  });

  it('emits nothing to those who cannot read the message', async () => {
    const { alice, bob, carol } = people;
    const message = await sendGroupMessage(world, group, bob, 'Before Carol');
    await joinGroup(world, group, alice, carol);
    await edit(message, bob, 'Still before Carol');
    expect(await eventsOf(world, carol, 'chat.edited')).toEqual([]);
    const later = await sendGroupMessage(world, group, bob, 'With Carol');
    await block(world, carol, bob);
    await edit(later, bob, 'Without Carol');
    expect(await eventsOf(world, carol, 'chat.edited')).toEqual([]);
  });
});
