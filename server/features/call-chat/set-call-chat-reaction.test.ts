import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actOnCallMessage,
  type TestCall,
  readCallChat,
  sendCallMessage,
  startJoinedCall,
} from '../../testing/steps/call-chat.ts';
import { requestGrants } from '../../testing/steps/calls.ts';
import { admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('PUT /calls/{join_code}/chat/{message_id}/reaction', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const reactionsSentTo = async (id: string) =>
    (await world.events(`user:${id}`)).filter(({ type }) => type === 'chat.reaction').map(({ data }) => data);
  const react = (call: TestCall, who: { token: string }, message: { id: string }, emoji: string | null) =>
    actOnCallMessage(world, call, who, 'PUT', message, { path: '/reaction', body: { emoji } });

  it('sets one reaction per participant, guests included, and emits chat.reaction to all readers', async () => {
    const { alice, bob } = people;
    const call = await startOpenCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    const gina = await admitGuest(world, alice, call.join_code);
    await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: gina.token, body: {} });
    const message = await sendCallMessage(world, call, alice, 'Shall we begin?');
    expect((await react(call, bob, message, '👍')).body.reactions).toEqual([{ emoji: '👍', user_id: bob.id }]);
    expect((await react(call, gina, message, '🎉')).status).toBe(200);
    const both = [
      { emoji: '👍', user_id: bob.id },
      { emoji: '🎉', guest_id: gina.id },
    ];
    for (const who of [alice, gina]) expect((await readCallChat(world, call, who))[0].reactions).toEqual(both);
    const place = { conference_id: call.conference_id, join_code: call.join_code, message_id: message.id };
    for (const { id } of [alice, bob, gina])
      expect(await reactionsSentTo(id)).toEqual([
        { ...place, user_id: bob.id, emoji: '👍' },
        { ...place, by_guest_id: gina.id, emoji: '🎉' },
      ]);
    expect((await react(call, gina, message, null)).body.reactions).toEqual(both.slice(0, 1));
    expect((await react(call, gina, message, null)).status).toBe(200);
    expect(await reactionsSentTo(alice.id)).toHaveLength(3);
  });

  it('returns 404 to those who may not read the message, and rejects text that is not an emoji', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const message = await sendCallMessage(world, call, alice, 'Before Carol');
    expect((await react(call, carol, message, '👍')).status).toBe(404);
    await world.call('POST /calls/active/participants', {
      token: alice.token,
      body: { to: [{ user_id: carol.id }] },
    });
    await world.clock.advance(2);
    await requestGrants(world, call.join_code, carol);
    expect((await react(call, carol, message, '👍')).status).toBe(404);
    expect((await react(call, bob, message, '👍')).status).toBe(200);
    expect([(await reactionsSentTo(alice.id)).length, (await reactionsSentTo(carol.id)).length]).toEqual([1, 0]);
    expect((await react(call, bob, message, 'yes')).body.error.fields).toHaveProperty('emoji');
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token });
    expect((await react(call, bob, message, null)).body.reactions).toEqual([]);
  });
});
