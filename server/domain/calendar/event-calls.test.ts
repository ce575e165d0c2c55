import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { after, wireTime } from '../../kernel/time.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { sql } from '../../kernel/database/database.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { connectMedia, statesOf } from '../../testing/steps/calls.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('the call of an event', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const grant = (code: string, { token }: Persona) => world.call(`POST /calls/${code}/sfu-grant`, { token, body: {} });
  const getCall = (code: string, { token }: Persona) => world.call(`GET /calls/${code}`, { token });
  const createMeeting = async (seconds: number, body: object = {}) => {
    const starts = after(world.clock.now(), seconds);
    const times = { starts_at: wireTime(starts), ends_at: wireTime(after(starts, 3600)) };
    const event = await createEvent(world, people.alice, { ...times, call: { enabled: true }, ...body });
    await shareEvent(world, event, people.alice, [people.bob]);
    return { event, code: event.call.join_code as string, starts };
  };

  it('opens ten minutes before an occurrence and closes half an hour after, for those who have the event', async () => {
    const { alice, bob, carol } = people;
    const { event, code, starts } = await createMeeting(3600, { rrule: 'FREQ=DAILY' });
    const opens_at = wireTime(after(starts, -600));
    for (const request of [grant, getCall]) {
      const early = await request(code, bob);
      expect([early.status, early.body.error.code, early.body.error.opens_at]).toEqual([409, 'not_open_yet', opens_at]);
      const stranger = await request(code, carol);
      const absent = await request('aaa-bbbb-ccc', carol);
      expect([stranger.status, stranger.body]).toEqual([404, absent.body]);
    }
    await advanceSeconds(world, 3001);
    const open = { code: 'not_open_yet', may_start: true, call_title: event.title };
    expect((await getCall(code, bob)).body.error).toMatchObject(open);
    expect((await grant(code, carol)).status).toBe(404);
    const first = await grant(code, bob);
    expect(first.status).toBe(200);
    expect((await getCall(code, bob)).body).toMatchObject({ join_code: code, host: { username: 'bob' } });
    const second = await grant(code, alice);
    expect(second.body.room).toBe(first.body.room);
    await connectMedia(world, first.body.room, alice, bob);
    const call = (await getCall(code, alice)).body;
    expect([call.host.username, call.state]).toEqual(['alice', 'live']);
    expect((await getCall(code, carol)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
    // Within the window, the same code starts another call.
    const again = await grant(code, alice);
    expect([again.status, again.body.room === first.body.room]).toEqual([200, false]);
    await world.call('DELETE /calls/active', { token: alice.token });
    await advanceSeconds(world, 599 + 3600 + 1801);
    const closed = await grant(code, bob);
    expect([closed.status, closed.body.error.opens_at]).toEqual([409, wireTime(after(starts, 86_400 - 600))]);
  });

  it('is one call when two people join concurrently', async () => {
    const { alice, bob } = people;
    const { code } = await createMeeting(60);
    const both = await Promise.all([grant(code, bob), grant(code, alice)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body.room).toBe(both[1]?.body.room);
    expect((await getCall(code, bob)).body.host.username).toBe('alice');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('keeps participants who joined by the event when the host locks or closes the call', async () => {
    const { alice, bob, carol } = people;
    const { code } = await createMeeting(60);
    for (const who of [alice, bob]) expect((await grant(code, who)).status).toBe(200);
    const set = (body: object) => world.call('PATCH /calls/active', { token: alice.token, body });
    const stateOf = ({ body }: { body: { participants: { user: { id: string }; state: string }[] } }, who: Persona) =>
      body.participants.find(({ user }) => user.id === who.id)?.state;
    for (const body of [{ locked: true }, { locked: false, chat_history: 'all' }, { privacy: 'followers' }])
      expect(stateOf(await set(body), bob)).toBe('joining');
    await set({ privacy: 'public' });
    expect((await grant(code, carol)).status).toBe(200);
    const closed = await set({ privacy: 'private' });
    expect([stateOf(closed, bob), stateOf(closed, carol)]).toEqual(['joining', 'left']);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('keeps its owner and those who were called when the event is deleted', async () => {
    const { alice, bob, carol } = people;
    const { event, code } = await createMeeting(60);
    const { body } = await grant(code, bob);
    await grant(code, alice);
    const to = [{ user_id: carol.id }];
    await world.call('POST /calls/active/participants', { token: alice.token, body: { to } });
    await grant(code, carol);
    await connectMedia(world, body.room, alice, bob, carol);
    await world.call(`DELETE /calendar/events/${event.id}`, { token: alice.token });
    expect(await statesOf(world, code, alice)).toEqual({ alice: 'joined', bob: 'left', carol: 'joined' });
    expect((await grant(code, bob)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('is not started by somebody who is waiting when it is no longer shared with them', async () => {
    const { event, code } = await createMeeting(60);
    let answer: ReturnType<typeof grant> | undefined;
    await world.app.services.db.transaction(async (db) => {
      await db.run(sql`select 1 from calendar_events where id = ${event.id} for update`);
      answer = grant(code, people.bob);
      await waitForLocks(world, 1);
      await db.run(sql`delete from calendar_guests where event_id = ${event.id}`);
    });
    expect((await answer)?.status).toBe(404);
  });

  it('is unavailable when the event is over, its call is disabled, or it is no longer shared', async () => {
    const { alice, bob } = people;
    const { event, code } = await createMeeting(60);
    const token = alice.token;
    await world.call(`PATCH /calendar/events/${event.id}`, { token, body: { call: { enabled: false } } });
    expect((await grant(code, bob)).status).toBe(404);
    await world.call(`PATCH /calendar/events/${event.id}`, { token, body: { call: { enabled: true } } });
    await world.call(`DELETE /calendar/events/${event.id}/share`, { token });
    expect((await grant(code, bob)).status).toBe(404);
    await advanceSeconds(world, 2 * 86_400);
    const over = await grant(code, alice);
    expect([over.status, over.body.error.code, over.body.error.opens_at]).toEqual([409, 'not_open_yet', undefined]);
  });
});
