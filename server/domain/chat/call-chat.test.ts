import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { listenTo, storedTypes } from '../../testing/world/listening.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('guests in the chat of a call', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const post = (code: string, token: string, body: string) =>
    world.call(`POST /calls/${code}/chat`, { token, body: { body } });
  const read = async (code: string, token: string) => {
    const { status, body } = await world.call(`GET /calls/${code}/chat`, { token });
    return status === 200 ? body.items.map((message: { body: string }) => message.body) : status;
  };

  it('can read and write from when they joined, even when the chat history is open to all', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    await post(join_code, alice.token, 'Before you came.');
    const gina = await admitGuest(world, alice, join_code);
    expect([await read(join_code, gina.token), (await post(join_code, gina.token, 'Hm')).status]).toEqual([404, 404]);
    await world.clock.advance(1);
    await world.call(`POST /calls/${join_code}/sfu-grant`, { token: gina.token, body: {} });
    const written = await post(join_code, gina.token, 'Good evening');
    expect([written.status, written.body.author]).toEqual([201, { user: null, guest: { id: gina.id, name: 'Gina' } }]);
    await post(join_code, alice.token, 'Welcome');
    await world.call('PATCH /calls/active', { token: alice.token, body: { chat_history: 'all' } });
    expect(await read(join_code, gina.token)).toEqual(['Welcome', 'Good evening']);
    expect(await read(join_code, alice.token)).toEqual(['Welcome', 'Good evening', 'Before you came.']);
    for (const id of [alice.id, gina.id]) {
      const messages = (await world.events(`user:${id}`)).filter(({ type }) => type === 'chat.message').slice(-2);
      expect(messages.map(({ data }) => data.message.body)).toEqual(['Good evening', 'Welcome']);
    }
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('are shown as typing to the others, and see who else is', async () => {
    const { alice } = people;
    const { join_code } = await startOpenCall(world, alice, []);
    const gina = await admitGuest(world, alice, join_code);
    await world.call(`POST /calls/${join_code}/sfu-grant`, { token: gina.token, body: {} });
    const to_alice = await listenTo(world, alice, 'chat.typing');
    const to_gina = await listenTo(world, gina, 'chat.typing');
    for (const { token } of [gina, alice])
      expect((await world.call(`POST /calls/${join_code}/chat/typing`, { token })).status).toBe(204);
    await expect
      .poll(() => to_alice())
      .toMatchObject([{ join_code, user: null, guest: { id: gina.id, name: 'Gina' } }]);
    await expect.poll(() => to_gina()).toMatchObject([{ join_code, user: { id: alice.id }, guest: null }]);
    expect(await storedTypes(world)).not.toContain('chat.typing');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('cannot read or write in another call or after removal, and keep their name in the transcript', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice, [bob]);
    const other_call = await startOpenCall(world, carol, [], 'open');
    const gina = await admitGuest(world, alice, join_code);
    await world.call(`POST /calls/${join_code}/sfu-grant`, { token: gina.token, body: {} });
    await post(join_code, gina.token, 'Hello');
    expect(await read(other_call.join_code, gina.token)).toBe(404);
    expect((await post(other_call.join_code, gina.token, 'Hello')).status).toBe(404);
    const { body: call } = await world.call(`GET /calls/${join_code}`, { token: alice.token });
    const part = call.participants.find(({ guest }: { guest: object | null }) => guest !== null);
    await world.call(`DELETE /calls/active/participants/${part.id}`, { token: alice.token });
    expect(await read(join_code, gina.token)).toBe(401);
    expect((await post(join_code, gina.token, 'Still here')).status).toBe(401);
    await world.call('DELETE /calls/active', { token: alice.token });
    await world.call('DELETE /calls/active', { token: carol.token });
    const transcript = await world.call(`GET /call-history/${conference_id}/chat`, { token: alice.token });
    expect(transcript.body.items[0].author.guest).toEqual({ id: gina.id, name: 'Gina' });
  });
});
