import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, timeOutRings } from '../../../testing/steps/calls.ts';
import { setReach } from '../../../testing/steps/contacts.ts';
import { becomeGuest, grantPlusPlan, createWidget } from '../../../testing/steps/widgets.ts';
import { waitForLocks } from '../../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { admitToRoom } from '../admission.ts';

describe('calls of guests', () => {
  let world: World;
  let people: Personas;
  let widget: Awaited<ReturnType<typeof createWidget>>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    await grantPlusPlan(world, people.alice);
    widget = await createWidget(world, people.alice, 'shop', { kind: 'call' });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.call(`PATCH /widgets/${widget.id}`, { token: people.alice.token, body: { enabled: false } });
    await world.call(`PATCH /widgets/${widget.id}`, { token: people.alice.token, body: { enabled: true } });
    await world.clock.advance(3700);
    await world.settle();
    await world.app.services.db.native.query("update session_tokens set expires_at = 'infinity'");
    for (const { session_id } of Object.values(people)) world.app.services.sessions.drop(session_id);
  });

  type Who = { token: string };
  const start = (who: Who, more: object = {}) =>
    world.call('POST /calls', { token: who.token, body: { to: [{ tag: 'shop' }], ...more } });
  const grant = (who: Who, code: string) => world.call(`POST /calls/${code}/sfu-grant`, { token: who.token, body: {} });
  const read = (who: Who, code: string) => world.call(`GET /calls/${code}`, { token: who.token });

  it('ring nobody when the widget is switched off at the same time', async () => {
    const gina = await becomeGuest(world, widget);
    const { db } = world.app.services;
    expect((await world.call(`GET /widgets/${widget.id}/chat`, { token: gina.token })).status).toBe(200);
    const other = await db.native.connect();
    try {
      // Both wait for the widget, the owner first.
      await other.query('begin');
      await other.query('select 1 from widgets where id = $1 for update', [widget.id]);
      const edit = { token: people.alice.token, body: { enabled: false } };
      const disabled = world.call(`PATCH /widgets/${widget.id}`, edit);
      await waitForLocks(world, 1);
      const started = start(gina);
      await waitForLocks(world, 2);
      await other.query('commit');
      expect((await disabled).status).toBe(200);
      expect([(await started).status, (await started).body.error?.code]).toEqual([401, 'token_invalid']);
    } finally {
      other.release();
    }
    expect((await db.native.query(`select 1 from calls where state <> 'ended'`)).rowCount).toBe(0);
  });

  it('ring the owner of the widget as their host, and go live and end like other calls', async () => {
    const { alice, bob } = people;
    const gina = await becomeGuest(world, widget);
    const { status, body: call } = await start(gina);
    expect([status, call.state, call.host.username, call.privacy]).toEqual([201, 'ringing', 'alice', 'private']);
    expect(call.participants).toMatchObject([
      { user: null, guest: { id: gina.guest.id, name: 'Gina' }, role: 'guest', state: 'joining' },
      { user: { username: 'alice' }, guest: null, role: 'host', state: 'ringing' },
    ]);
    const ringing_event = (await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'call.ringing').at(-1);
    expect(ringing_event?.data.call.participants[0].guest.name).toBe('Gina');
    const [sent] = await world.sent('alice');
    expect(sent?.text).toBe('Gina is calling alice');
    expect((await read(bob, call.join_code)).status).toBe(404);

    const granted = await grant(gina, call.join_code);
    expect([granted.status, granted.body.identity]).toEqual([200, call.participants[0].id]);
    const used = await world.app.services.media.readGrant(granted.body.token, '');
    expect(await admitToRoom(world.app.services, used as never)).toBe(true);
    await grant(alice, call.join_code);
    const guest_participant = { id: granted.body.identity };
    await connectMedia(world, call.conference_id, guest_participant as never, alice);
    const live = (await read(gina, call.join_code)).body;
    expect([live.state, live.participants.map(({ state }: { state: string }) => state)]).toEqual([
      'live',
      ['joined', 'joined'],
    ]);
    const last_event = (await world.events(`user:${gina.guest.id}`)).at(-1);
    expect(last_event?.type).toBe('call.updated');
    expect((await world.call('DELETE /calls/active', { token: gina.token })).status).toBe(204);
    expect((await world.call('DELETE /calls/active', { token: gina.token })).status).toBe(404);
    expect(await admitToRoom(world.app.services, used as never)).toBe(false);
    expect((await world.call('DELETE /calls/active', { token: alice.token })).status).toBe(204);
    expect((await read(gina, call.join_code)).body.state).toBe('ended');
  });

  it('can only be made to the tag of the widget', async () => {
    const { alice, bob } = people;
    const gina = await becomeGuest(world, widget);
    for (const to of [[], [{ tag: 'other' }], [{ user_id: alice.id }], [{ tag: 'shop' }, { user_id: bob.id }]])
      expect((await start(gina, { to })).status).toBe(422);
    expect((await start(gina, { privacy: 'public' })).status).toBe(422);
    const { body: call_of_bob } = await world.call('POST /calls', {
      token: bob.token,
      body: { to: [], privacy: 'public' },
    });
    for (const answer of [await read(gina, call_of_bob.join_code), await grant(gina, call_of_bob.join_code)])
      expect(answer.status).toBe(404);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('are limited to one per guest and three per widget', async () => {
    const guests = [];
    for (let at = 0; at < 4; at++) guests.push(await becomeGuest(world, widget));
    const answers = await Promise.all(guests.map((guest) => start(guest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('lines_busy');
    const [first, second] = guests.filter((_guest, at) => answers[at]?.status === 201);
    await world.call('DELETE /calls/active', { token: second?.token ?? '' });
    const twice = await start(first as Who);
    expect([twice.status, twice.body.error.code]).toEqual([409, 'call_in_progress']);
  });

  it('are recorded as missed, and do not ring when the reach of the owner excludes guests', async () => {
    const { alice } = people;
    const gina = await becomeGuest(world, widget);
    const { body: call } = await start(gina);
    await timeOutRings(world);
    expect((await read(gina, call.join_code)).body.participants[1].state).toBe('no_answer');
    const { body: inbox } = await world.call('GET /inbox', { token: alice.token });
    expect(inbox.items[0]).toMatchObject({ kind: 'missed_call', from: { user: null, name: 'Gina' } });
    await world.call(`POST /calls/${call.join_code}/leave`, { token: gina.token });
    await setReach(world, alice, { call: 'contacts' });
    const before = (await world.events(`user:${alice.id}`)).length;
    const quiet = await start(gina);
    expect([quiet.status, quiet.body.participants[1].state]).toEqual([201, 'ringing']);
    expect(await world.events(`user:${alice.id}`)).toHaveLength(before);
    await setReach(world, alice, { call: 'everyone' });
  });

  it('end when the widget is disabled', async () => {
    const { alice } = people;
    const gina = await becomeGuest(world, widget);
    const { body: call } = await start(gina);
    const granted = await grant(gina, call.join_code);
    await world.call(`PATCH /widgets/${widget.id}`, { token: alice.token, body: { enabled: false } });
    expect((await read(gina, call.join_code)).status).toBe(401);
    const used = await world.app.services.media.readGrant(granted.body.token, '');
    expect(await admitToRoom(world.app.services, used as never)).toBe(false);
    const { rows } = await world.app.services.db.native.query(
      'select state from call_participants where call_id = $1 order by id',
      [call.conference_id],
    );
    expect(rows[0].state).toBe('left');
  });
});
