import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { createGroup, joinGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';

type Reader = { token: string };

describe('GET /messages/{message_id}/reactions', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  let message: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    group = await createGroup(world, alice, 'Band');
    for (const who of [bob, carol]) await joinGroup(world, group, alice, who);
    message = await sendGroupMessage(world, group, alice, 'We play on Friday');
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const react = async (path: string, { token }: Reader, emoji: string | null) => {
    await world.clock.advance(1);
    expect((await world.call(`PUT ${path}/reaction`, { token, body: { emoji } })).status).toBe(200);
  };
  const inGroup = () => `/groups/${group.id}/chat/${message.id}`;
  const list = ({ token }: Reader, { id }: { id: string } = message, query = '') =>
    world.call(`GET /messages/${id}/reactions${query}`, { token });
  const listed = async (who: Reader, of = message, query = '') => {
    const { status, body } = await list(who, of, query);
    expect([status, body.error]).toEqual([200, undefined]);
    type Item = { emoji: string; user: { username: string } | null; guest: { name: string } | null };
    return body.items.map(({ emoji, user, guest }: Item) => [user?.username ?? guest?.name, emoji]);
  };

  it('names who reacted, newest first, in pages and by emoji', async () => {
    const { alice, bob, carol } = people;
    await react(inGroup(), bob, '🎷');
    await react(inGroup(), carol, '🎉');
    await react(inGroup(), alice, '🎉');
    expect(await listed(bob)).toEqual([
      ['alice', '🎉'],
      ['carol', '🎉'],
      ['bob', '🎷'],
    ]);
    const { body: first } = await list(bob, message, '?limit=2');
    expect([first.items.length, first.has_more, first.items[1].id]).toEqual([2, true, carol.id]);
    expect(first.items[1].reacted_at).toMatch(/^\d{4}-/);
    const rest = `?limit=2&before_id=${carol.id}`;
    expect(await listed(bob, message, rest)).toEqual([['bob', '🎷']]);
    expect(await listed(bob, message, `?emoji=${encodeURIComponent('🎉')}&before_id=${alice.id}`)).toEqual([
      ['carol', '🎉'],
    ]);
    // Whoever was the cursor took their reaction back.
    await react(inGroup(), carol, null);
    expect(await listed(bob, message, rest)).toEqual([
      ['alice', '🎉'],
      ['bob', '🎷'],
    ]);
  });

  it('hides the reactions of people in a block with the reader, and of suspended ones', async () => {
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) await react(inGroup(), who, '🎷');
    await block(world, bob, carol);
    expect([await listed(alice), await listed(bob)]).toEqual([
      [
        ['carol', '🎷'],
        ['bob', '🎷'],
      ],
      [['bob', '🎷']],
    ]);
    await suspendUser(world.app.services, carol.id, { operator: 'test', reason: 'A test' });
    expect(await listed(alice)).toEqual([['bob', '🎷']]);
    const { body } = await world.call(`GET /groups/${group.id}/chat`, { token: alice.token });
    expect(body.items.find(({ id }: { id: string }) => id === message.id).reactions).toEqual([
      { emoji: '🎷', user_id: bob.id },
    ]);
  });

  it('does not tell by a cursor whether somebody who is hidden reacted', async () => {
    const { alice, bob, carol } = people;
    await react(inGroup(), alice, '🎷');
    await react(inGroup(), carol, '🎉');
    await react(inGroup(), bob, '🎷');
    const all = [
      ['bob', '🎷'],
      ['alice', '🎷'],
    ];
    const listedFrom = (id: string) => listed(bob, message, `?before_id=${id}`);
    await block(world, carol, bob);
    expect([await listed(bob), await listedFrom(carol.id), await listedFrom(people.uma.id)]).toEqual([all, all, all]);
    await world.call(`DELETE /blocks/${bob.id}`, { token: carol.token });
    expect(await listedFrom(carol.id)).toEqual([['alice', '🎷']]);
    await suspendUser(world.app.services, carol.id, { operator: 'test', reason: 'A test' });
    expect(await listedFrom(carol.id)).toEqual(all);
  });

  it('is for those who may read the message', async () => {
    const { alice, bob, carol } = people;
    const other = await createGroup(world, alice, 'Other');
    const secret = await sendGroupMessage(world, other, alice, 'A surprise');
    expect([(await list(alice, secret)).status, (await list(bob, secret)).status]).toEqual([200, 404]);
    const thread = await openAcceptedThread(world, alice, bob);
    const direct = await sendMessage(world, thread, alice, 'Hm');
    await react(`/dm/threads/${thread.id}/chat/${direct.id}`, bob, '👍');
    expect([await listed(alice, direct), (await list(carol, direct)).status]).toEqual([[['bob', '👍']], 404]);
    await block(world, bob, alice);
    expect((await list(alice, direct)).status).toBe(404);
    for (const id of [`chat_${'0'.repeat(26)}`, `dm_${'0'.repeat(26)}`])
      expect((await list(alice, { id })).status).toBe(404);
  });

  it('is also of calls and widgets, in which guests do not see those of other guests', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const said = await sendCallMessage(world, call, alice, 'Hear me?');
    await react(`/calls/${call.join_code}/chat/${said.id}`, bob, '👂');
    expect([await listed(alice, said), (await list(carol, said)).status]).toEqual([[['bob', '👂']], 404]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect(await listed(bob, said)).toEqual([['bob', '👂']]);
    const widget = await createWidget(world, alice, 'shop');
    const guests = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')] as const;
    const notice = await sendWidgetMessage(world, widget, alice, 'Closed on Monday');
    for (const guest of guests) await react(`/widgets/${widget.id}/chat/${notice.id}`, guest, '😢');
    expect(await listed(alice, notice)).toEqual([
      ['Hugo', '😢'],
      ['Gina', '😢'],
    ]);
    expect(await listed(guests[0], notice)).toEqual([['Gina', '😢']]);
    const question = await sendWidgetMessage(world, widget, guests[0], 'And on Sunday?');
    expect((await list(guests[1], question)).status).toBe(404);
  });

  it('has nothing of a deleted message', async () => {
    const { alice, bob } = people;
    await react(inGroup(), bob, '🎷');
    await world.call(`DELETE ${inGroup()}`, { token: alice.token });
    expect(await listed(alice)).toEqual([]);
  });

  it('names a person who has a picture and a name as elsewhere', async () => {
    const { bob, carol }: Record<string, Persona> = people;
    await react(inGroup(), bob as Persona, '🎷');
    const { body } = await list(carol as Persona);
    expect(body.items[0]).toMatchObject({ id: bob?.id, user: { id: bob?.id, username: 'bob' }, guest: null });
  });
});
