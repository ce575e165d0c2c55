import { describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { createGroup, prepareGroup } from '../../testing/steps/groups.ts';
import type { Persona, Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/chat/{message_id}/reaction', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup(
    'Band',
    (given) => {
      ({ world, people, group } = given);
    },
    ['bob', 'carol'],
  );

  const react = ({ id }: { id: string }, { token }: Persona, emoji: string | null) =>
    world.call(`PUT /groups/${group.id}/chat/${id}/reaction`, { token, body: { emoji } });
  const seenBy = async (who: Persona) =>
    (await itemsOf(world, `/groups/${group.id}/chat`, who))[0].reactions.map(
      ({ emoji }: { emoji: string }) => emoji,
    ) as string[];

  it('sets one reaction per member and emits chat.reaction to all', async () => {
    const { alice, bob, carol } = people;
    const message = await sendGroupMessage(world, group, alice, 'We play on Friday');
    for (const [who, emoji] of [
      [bob, '🎷'],
      [carol, '🎉'],
      [bob, '🥁'],
    ] as const)
      expect((await react(message, who, emoji)).status).toBe(200);
    expect(await seenBy(alice)).toEqual(['🥁', '🎉']);
    const emitted = (await eventsOf(world, alice, 'chat.reaction')).map(({ user_id, emoji }) => [user_id, emoji]);
    expect(emitted).toEqual([
      [bob.id, '🎷'],
      [carol.id, '🎉'],
      [bob.id, '🥁'],
    ]);
    expect((await react(message, carol, null)).body.reactions).toEqual([{ emoji: '🥁', user_id: bob.id }]);
    expect((await eventsOf(world, bob, 'chat.reaction')).at(-1)).toMatchObject({ user_id: carol.id, emoji: null });
    expect((await react(message, carol, 'no' as string)).body.error.fields).toHaveProperty('emoji');
  });

  it('is hidden across a block, and returns 404 for messages of other groups and deleted ones', async () => {
    const { alice, bob, carol } = people;
    const message = await sendGroupMessage(world, group, alice, 'Encore');
    await react(message, carol, '🎻');
    await block(world, bob, carol);
    const event_count = (await eventsOf(world, bob, 'chat.reaction')).length;
    await react(message, carol, '🎺');
    expect(await eventsOf(world, bob, 'chat.reaction')).toHaveLength(event_count);
    expect([await seenBy(alice), await seenBy(bob)]).toEqual([['🎺'], []]);
    const other = await createGroup(world, bob, 'Elsewhere');
    const elsewhere = await sendGroupMessage(world, other, bob, 'Here');
    expect((await react(elsewhere, alice, '👍')).status).toBe(404);
    await world.call(`DELETE /groups/${group.id}/chat/${message.id}`, { token: alice.token });
    expect((await react(message, carol, '👍')).status).toBe(404);
    expect(await seenBy(alice)).toEqual([]);
  });
});
