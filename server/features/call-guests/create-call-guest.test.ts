import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { admitToRoom } from '../../domain/calls/admission.ts';
import { updateGuestPresence } from '../../domain/calls/link-guests.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { change } from '../../kernel/services.ts';
import { connectMedia } from '../../testing/steps/calls.ts';
import { requestEntry, decideOnGuest, admitGuest, startOpenCall } from '../../testing/steps/link-guests.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const { call_guests_of_network: most_of_network } = default_limits;

describe('POST /calls/{join_code}/guests', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  afterEach(() => world.call('DELETE /calls/active', { token: people.alice.token }));

  const read = (token: string, join_code: string) => world.call(`GET /calls/${join_code}`, { token });
  const grant = (token: string, join_code: string) =>
    world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });

  it('puts the guest in the waiting room without access, and emits call.guest_asked to the host', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const { status, body } = await requestEntry(world, join_code);
    expect([status, body.guest.name, body.guest.state]).toEqual([201, 'Gina', 'waiting']);
    expect(body.token).toMatch(/^astg_/);
    const { rows } = await world.app.services.db.native.query('select * from guests');
    expect(JSON.stringify(rows)).not.toContain(body.token);
    const event = (await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'call.guest_asked').at(-1);
    expect(event?.data).toMatchObject({ join_code, guest: { id: body.guest.id, name: 'Gina', state: 'waiting' } });
    expect((await read(body.token, join_code)).status).toBe(404);
    expect((await grant(body.token, join_code)).status).toBe(404);
    expect((await world.call('POST /calls', { token: body.token, body: { to: [{ tag: 'jazz' }] } })).status).toBe(403);
    expect((await world.call('GET /me', { token: body.token })).status).toBe(403);
  });

  it('joins under the given name once admitted, and loses access when removed', async () => {
    const { alice, bob } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice, [bob]);
    const gina = await admitGuest(world, alice, join_code);
    expect((await read(gina.token, join_code)).status).toBe(200);
    const granted = await grant(gina.token, join_code);
    expect([granted.status, granted.body.room]).toEqual([200, conference_id]);
    const [room = '', identity = '', session_id = '', generation] = String(granted.body.token).split('/');
    expect(session_id).toBe(conference_id);
    const used = { room, identity, session_id, generation: Number(generation) };
    expect(await admitToRoom(world.app.services, used)).toBe(true);
    await connectMedia(world, conference_id, alice, { ...bob, id: identity });
    const { body: call } = await read(alice.token, join_code);
    const participant = call.participants.find(({ guest }: { guest: object | null }) => guest !== null);
    expect(participant).toMatchObject({
      user: null,
      guest: { id: gina.id, name: 'Gina' },
      state: 'joined',
      role: 'guest',
    });
    const removed = await world.call(`DELETE /calls/active/participants/${participant.id}`, { token: alice.token });
    expect(removed.status).toBe(204);
    expect(await admitToRoom(world.app.services, used)).toBe(false);
    expect((await read(gina.token, join_code)).status).toBe(401);
    expect((await grant(gina.token, join_code)).status).toBe(401);
  });

  it('admits at once if guests are `open`, to this call only', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startOpenCall(world, alice, [], 'open');
    const other = await startOpenCall(world, bob, [carol], 'open');
    const { body } = await requestEntry(world, join_code);
    expect(body.guest.state).toBe('admitted');
    expect((await grant(body.token, join_code)).status).toBe(200);
    expect((await read(body.token, other.join_code)).status).toBe(404);
    expect((await grant(body.token, other.join_code)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('ends the token of the guest with the call', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = await admitGuest(world, alice, join_code);
    expect((await grant(gina.token, join_code)).status).toBe(200);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await read(gina.token, join_code)).status).toBe(401);
    expect((await requestEntry(world, join_code)).status).toBe(404);
  });

  it('never makes a guest host; the call ends when no participant with an account is left', async () => {
    const { alice } = people;
    const { join_code, conference_id } = await startOpenCall(world, alice, []);
    const gina = await admitGuest(world, alice, join_code);
    await grant(gina.token, join_code);
    await world.call(`POST /calls/${join_code}/leave`, { token: alice.token });
    await world.clock.advance(61);
    await world.settle();
    const { rows } = await world.app.services.db.native.query('select state from calls where id = $1', [conference_id]);
    expect(rows).toEqual([{ state: 'ended' }]);
  });

  it(
    'limits waiting guests to 20 per call and requests to 60 an hour per address; requires a readable name',
    slow,
    async () => {
      const { alice, bob } = people;
      const { join_code } = await startOpenCall(world, alice, [bob]);
      const nameless = await requestEntry(world, join_code, ' ');
      expect([nameless.status, Object.keys(nameless.body.error.fields)]).toEqual([422, ['name']]);
      for (let at = 0; at < 20; at++)
        expect((await requestEntry(world, join_code, `G${at}`, `10.8.0.${at}`)).status).toBe(201);
      const full = await requestEntry(world, join_code, 'One more', '10.8.1.1');
      expect([full.status, full.body.error.code]).toEqual([403, 'plan_limit_reached']);
      const statuses: number[] = [];
      for (let at = 0; at < 61; at++) statuses.push((await requestEntry(world, join_code, 'G', '10.8.2.2')).status);
      expect(statuses.at(-1)).toBe(429);
    },
  );

  it('lets few wait from one network, so that it cannot fill the waiting room', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const askFrom = async (ip: string) => (await requestEntry(world, join_code, 'G', ip)).status;
    for (const ip of ['10.8.3.3', '2001:db8:0:1::']) {
      const addressOf = (at: number) => (ip.endsWith(':') ? `${ip}${at}` : ip);
      const statuses: number[] = [];
      for (let at = 1; at <= most_of_network + 1; at++) statuses.push(await askFrom(addressOf(at)));
      expect(statuses).toEqual([...Array<number>(most_of_network).fill(201), 403]);
    }
    expect(await askFrom('10.8.3.4')).toBe(201);
  });

  it('gives the place of a guest who has closed the page to one who asks, and thus never lists more than 20', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const setAway = (guest_id: string, online = false) =>
      change(world.app.services, (one) => updateGuestPresence(one, guest_id, online));
    const gone: { token: string; id: string }[] = [];
    for (let at = 0; at < most_of_network + 3; at++) {
      const { status, body } = await requestEntry(world, join_code, `G${at}`, '10.8.4.4');
      expect(status).toBe(201);
      gone.push({ token: body.token, id: body.guest.id });
      await setAway(body.guest.id);
    }
    for (const { id } of gone) await setAway(id, true);
    const { body } = await world.call(`GET /calls/${join_code}/guests`, { token: alice.token });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(gone.slice(3).map(({ id }) => id));
    const readOwn = async ({ token }: { token: string }) =>
      (await world.call(`GET /calls/${join_code}/guest`, { token })).status;
    expect(await Promise.all(gone.map(readOwn))).toEqual(gone.map((_, at) => (at < 3 ? 401 : 200)));
    expect((await requestEntry(world, join_code, 'G', '10.8.4.4')).status).toBe(403);
  });

  it('declines waiting guests when guests are switched off, and keeps admitted ones', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = await admitGuest(world, alice, join_code);
    await grant(gina.token, join_code);
    const waiting = (await requestEntry(world, join_code, 'Wim')).body;
    await world.call('PATCH /calls/active', { token: alice.token, body: { guests: 'off' } });
    expect((await read(gina.token, join_code)).status).toBe(200);
    const [event, end] = await world.events(`user:${waiting.guest.id}`);
    expect([event?.type, event?.data.guest.state, end?.type]).toEqual([
      'call.guest_decided',
      'declined',
      'session.revoked',
    ]);
    expect((await decideOnGuest(world, alice, join_code, waiting.guest.id)).body.error.code).toBe('already_decided');
  });

  it('does not let a guest who has left return when guests are switched off, nor read on', async () => {
    const { alice, bob } = people;
    const { join_code } = await startOpenCall(world, alice, [bob]);
    const gina = await admitGuest(world, alice, join_code);
    const set = (body: object) => world.call('PATCH /calls/active', { token: alice.token, body });
    const leave = () => world.call(`POST /calls/${join_code}/leave`, { token: gina.token });
    const chat = () => world.call(`GET /calls/${join_code}/chat`, { token: gina.token });
    await grant(gina.token, join_code);
    expect((await leave()).status).toBe(204);
    expect((await grant(gina.token, join_code)).status).toBe(200);
    expect((await leave()).status).toBe(204);
    await set({ locked: true });
    expect((await grant(gina.token, join_code)).body.error.code).toBe('call_locked');
    await set({ locked: false, guests: 'off' });
    expect([(await grant(gina.token, join_code)).status, (await read(gina.token, join_code)).status]).toEqual([
      404, 404,
    ]);
    expect((await chat()).status).toBe(404);
    await set({ guests: 'ask' });
    expect((await grant(gina.token, join_code)).status).toBe(200);
  });
});
