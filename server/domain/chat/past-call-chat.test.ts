import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnCallMessage, sendCallMessage, startJoinedCall, type TestCall } from '../../testing/steps/call-chat.ts';
import { connectMedia, requestGrants } from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('messages of an ended call', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const end = (host: Persona) => world.call('DELETE /calls/active', { token: host.token });
  const react = (call: TestCall, who: { token: string }, message: { id: string }) =>
    actOnCallMessage(world, call, who, 'PUT', message, { path: '/reaction', body: { emoji: '👍' } });
  const edit = (call: TestCall, who: { token: string }, message: { id: string }) =>
    actOnCallMessage(world, call, who, 'PATCH', message, { body: { body: 'Otherwise' } });
  const remove = (call: TestCall, who: { token: string }, message: { id: string }) =>
    actOnCallMessage(world, call, who, 'DELETE', message);
  const transcript = (call: TestCall, who: Persona) => itemsOf(world, `/call-history/${call.conference_id}/chat`, who);
  const eventsOf = async ({ id }: Persona, type: string) =>
    (await world.events(`user:${id}`)).filter((event) => event.type === type).map(({ data }) => data);

  it('can be reacted to by readers, edited by their authors for 15 minutes, and deleted by the host', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob);
    const [of_alice, of_bob] = [
      await sendCallMessage(world, call, alice, 'From Alice'),
      await sendCallMessage(world, call, bob, 'From Bob'),
    ];
    await end(alice);
    const [item] = await itemsOf(world, '/call-history', bob);
    expect(item.join_code).toBe(call.join_code);
    expect((await react(call, bob, of_alice)).body.reactions).toEqual([{ emoji: '👍', user_id: bob.id }]);
    expect((await eventsOf(alice, 'chat.reaction')).at(-1)).toMatchObject({ message_id: of_alice.id, user_id: bob.id });
    expect((await edit(call, bob, of_bob)).body.body).toBe('Otherwise');
    expect((await eventsOf(alice, 'chat.edited')).at(-1)).toMatchObject({ message_id: of_bob.id, body: 'Otherwise' });
    expect((await actOnCallMessage(world, call, alice, 'GET', of_bob, { path: '/edits' })).body.items).toHaveLength(1);
    expect((await edit(call, bob, of_alice)).body.error.code).toBe('forbidden');
    expect((await remove(call, bob, of_alice)).body.error.code).toBe('forbidden');
    await world.clock.advance(15 * 60 + 1);
    expect((await edit(call, alice, of_alice)).body.error.code).toBe('edit_closed');
    expect((await remove(call, alice, of_bob)).status).toBe(204);
    expect((await eventsOf(bob, 'chat.deleted')).at(-1)).toMatchObject({ message: { id: of_bob.id, body: '' } });
    expect((await transcript(call, bob)).map(({ id, body }: { id: string; body: string }) => [id, body])).toEqual([
      [of_bob.id, ''],
      [of_alice.id, 'From Alice'],
    ]);
    for (const act of [react, edit, remove]) {
      const refused = await act(call, carol, of_alice);
      const absent = await act(call, carol, { id: `chat_${'0'.repeat(26)}` });
      expect([refused.status, refused.body]).toEqual([404, absent.body]);
    }
  });

  it('belong to their own call when several calls share a code', async () => {
    const { alice, bob } = people;
    const first = await startJoinedCall(world, alice, bob);
    const message = await sendCallMessage(world, first, alice, 'Of the first');
    await end(alice);
    const second = await startJoinedCall(world, alice, bob);
    const { native } = world.app.services.db;
    await native.query('update calls set join_code = $1 where id = $2', [first.join_code, second.conference_id]);
    expect((await react(first, bob, message)).status).toBe(200);
    expect((await transcript(first, bob))[0].reactions).toHaveLength(1);
    await end(alice);
  });

  it('reject reactions of guests (401), blocked users (404) and removed participants (forbidden)', async () => {
    const { alice, bob, carol } = people;
    const call = await startOpenCall(world, alice, [bob, carol]);
    await requestGrants(world, call.join_code, bob, carol);
    await connectMedia(world, call.conference_id, alice, bob, carol);
    const gina = await admitGuest(world, alice, call.join_code);
    await world.call(`POST /calls/${call.join_code}/sfu-grant`, { token: gina.token, body: {} });
    const message = await sendCallMessage(world, call, carol, 'From Carol');
    const { body } = await world.call(`GET /calls/${call.join_code}`, { token: alice.token });
    const part = body.participants.find(({ user }: { user: { id: string } | null }) => user?.id === bob.id);
    await world.clock.advance(1);
    await world.call(`DELETE /calls/active/participants/${part.id}`, { token: alice.token });
    expect((await transcript(call, bob)).map(({ id }: { id: string }) => id)).toEqual([message.id]);
    expect((await react(call, bob, message)).body.error.code).toBe('forbidden');
    await end(alice);
    expect((await react(call, gina, message)).status).toBe(401);
    await block(world, alice, carol);
    expect((await react(call, carol, message)).status).toBe(404);
    const before = (await eventsOf(carol, 'chat.deleted')).length;
    expect((await remove(call, alice, message)).status).toBe(404);
    expect(await eventsOf(carol, 'chat.deleted')).toHaveLength(before);
  });
});
