/** The API part of the main journey: two people by API requests, their audio by LiveKit's native SDK. */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hearFrom, publishTone, settle } from '../../../../sfu/testing/tones.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

type Person = { id: string; username: string; token: string };
type StreamEvent = { type: string; data: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read events freely
type Caller = { room: Room; reconnected: number; has_ended: boolean; sid(): string; disconnect(): Promise<void> };

const hertz = { ada: 440, ben: 660 };
type Name = keyof typeof hertz;
const names: Name[] = ['ada', 'ben'];

/** How long LiveKit's clients may take to reconnect after the media server was killed: their own back-off. */
const rejoin_ms = 60_000;
/** How soon a reconnected person is heard, and a removed one is disconnected. */
const settled_ms = 30_000;

/** What differs between media servers. */
export type Environment = {
  /** Variables that choose the media server. */
  configure?: (port: number) => Record<string, string>;
  /** Whether the media server ends with the service. */
  embedded: boolean;
};

/** Declares the journey's tests, each of which continues the previous one. */
export function testApiCall({ configure, embedded }: Environment): void {
  let service: Service;
  const people = {} as Record<Name, Person>;
  let streams: Record<Name, Stream>;
  let join_code = '';
  const callers = {} as Record<Name, Caller>;
  let have_reconnected = false;
  beforeAll(async () => {
    service = await startService({ configure });
  });
  afterAll(async () => {
    for (const caller of Object.values(callers)) await caller.disconnect();
    for (const stream of Object.values(streams ?? {})) stream.close();
    await service.close();
  });

  const request = async (person: Person, route: string, body?: unknown) => {
    const answer = await service.call(route, { token: person.token, body });
    expect([200, 201, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    return answer.body;
  };
  const states = async (viewer: Person): Promise<Record<string, string>> => {
    const { participants } = await request(viewer, `GET /calls/${join_code}`);
    return Object.fromEntries(participants.map(({ name, state }: { name: string; state: string }) => [name, state]));
  };
  const bothJoined = () =>
    poll(async () => Object.values(await states(people.ada)).every((state) => state === 'joined'), 'both joined');
  const join = async (name: Name): Promise<void> => {
    await callers[name]?.disconnect();
    const grant = await request(people[name], `POST /calls/${join_code}/sfu-grant`, {});
    expect(grant.identity).toBe(people[name].id);
    const room = new Room();
    await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
    const tone = await publishTone(room, hertz[name]);
    const caller: Caller = {
      room,
      reconnected: 0,
      has_ended: false,
      sid: () => room.localParticipant?.sid ?? '',
      async disconnect() {
        await tone.stop();
        await settle(room.disconnect());
      },
    };
    room.on(RoomEvent.Reconnected, () => caller.reconnected++);
    room.on(RoomEvent.Disconnected, () => {
      caller.has_ended = true;
    });
    callers[name] = caller;
  };
  /**
   * Waits until a client has reconnected. It gives up after ten attempts, which may be too few for a slow start; it
   * then joins again, as an app does.
   */
  const awaitReconnection = async (name: Name): Promise<void> => {
    const caller = callers[name];
    await poll(async () => caller.reconnected > 0 || caller.has_ended, `${name} to reconnect`, rejoin_ms);
    if (caller.has_ended) await join(name);
  };
  const awaitDisconnection = (name: Name) =>
    poll(async () => callers[name].has_ended, `the end of ${name}’s room`, settled_ms);
  const bothHear = async (within_ms?: number) => {
    const hearsPeer = (name: Name, other: Name) =>
      hearFrom(callers[name].room, people[other].id, hertz[other], within_ms);
    const [ada_hears, ben_hears] = await Promise.all([hearsPeer('ada', 'ben'), hearsPeer('ben', 'ada')]);
    return { ada_hears, ben_hears };
  };

  it('registers two people, one of whom creates a tag that the other finds', async () => {
    people.ada = await signUp(service, 'ada', '+14155550101');
    people.ben = await signUp(service, 'ben', '+14155550102');
    streams = { ada: await openStream(service, people.ada), ben: await openStream(service, people.ben) };
    await request(people.ada, 'POST /xtags', { name: 'evenings', title: 'Evenings' });
    const found = await request(people.ben, 'GET /xtags/search?q=evening');
    expect(found.items.map((tag: { name: string }) => tag.name)).toEqual(['evenings']);
  });

  it('rings the tag’s owner, and both receive each other’s audio', async () => {
    const call = await request(people.ben, 'POST /calls', { to: [{ tag: 'evenings' }] });
    join_code = call.join_code;
    const rung = await streams.ada.next('call.ringing');
    expect(rung.data.call).toMatchObject({ join_code, host: { username: 'ben' } });
    await join('ada');
    await join('ben');
    expect(await bothHear()).toEqual({ ada_hears: true, ben_hears: true });
    await bothJoined();
  });

  it('delivers a chat message to the other, and stores it', async () => {
    const message = await request(people.ada, `POST /calls/${join_code}/chat`, { body: 'Can you hear me?' });
    expect((await streams.ben.next('chat.message')).data.message).toEqual(message);
    expect((await request(people.ben, `GET /calls/${join_code}/chat`)).items).toEqual([message]);
  });

  it('survives a kill -9 of the service', async () => {
    const sids = () => names.map((name) => callers[name].sid());
    const before = sids();
    await service.killAndRestart();
    expect((await request(people.ben, 'GET /calls/active')).join_code).toBe(join_code);
    // With LiveKit only signalling is interrupted: its media continue until a native client joins again.
    await Promise.all(names.map(awaitReconnection));
    if (embedded) await poll(async () => sids().every((sid, at) => sid !== before[at]), 'new joins', settled_ms);
    expect(await bothHear(settled_ms)).toEqual({ ada_hears: true, ben_hears: true });
    await bothJoined();
    for (const person of Object.values(people))
      expect(await request(person, 'GET /calls/active')).toMatchObject({ join_code, state: 'live', end_reason: null });
    expect((await request(people.ada, `GET /calls/${join_code}/chat`)).items).toHaveLength(1);
    have_reconnected = true;
  });

  it('disconnects a participant who leaves, and ends when the host ends it', async () => {
    // After a failed test the clients may not receive their disconnection any more.
    if (!have_reconnected) await Promise.all(names.map(join));
    const streams_again = await openStream(service, people.ben);
    await request(people.ada, `POST /calls/${join_code}/leave`, {});
    await awaitDisconnection('ada');
    expect(await states(people.ben)).toEqual({ ada: 'left', ben: 'joined' });
    await request(people.ben, 'DELETE /calls/active');
    await awaitDisconnection('ben');
    const ended = await streams_again.next('call.ended');
    expect(ended.data.call).toMatchObject({ join_code, state: 'ended', end_reason: 'hung_up' });
    streams_again.close();
    expect(await request(people.ada, `GET /calls/${join_code}`)).toMatchObject({
      state: 'ended',
      end_reason: 'hung_up',
    });
    expect((await service.call('GET /calls/active', { token: people.ada.token })).status).toBe(404);
  });
}

async function signUp(service: Service, username: string, mobile_number: string): Promise<Person> {
  const email = `${username}@example.org`;
  const registration = await service.call('POST /auth/register', {
    body: { username, email, password: 'a quiet river stone' },
  });
  expect(registration.status).toBe(201);
  const { registration_id } = registration.body;
  const code = await service.codeFor(email);
  const { status, body } = await service.call('POST /auth/register/verify', { body: { registration_id, code } });
  expect(status).toBe(201);
  const { token } = body;
  expect((await service.call('POST /xtags', { token, body: { name: 'early' } })).body.error.code).toBe(
    'mobile_unverified',
  );
  await service.call('PUT /me/mobile', { token, body: { mobile_number } });
  await service.call('POST /me/mobile/codes', { token, body: {} });
  const verified = await service.call('POST /me/mobile/verify', {
    token,
    body: { code: await service.codeFor(mobile_number) },
  });
  expect(verified.status).toBe(200);
  return { id: body.user.id, username, token };
}

type Stream = { next(type: string): Promise<StreamEvent>; close(): void };

/** Opens the realtime socket of a person; `next` removes and returns the first event of a type. */
async function openStream(service: Service, { token }: Person): Promise<Stream> {
  const { body: grant } = await service.call('POST /realtime/grant', { token, body: {} });
  const socket = new WebSocket(grant.url);
  const events: StreamEvent[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'resume', token: grant.token })));
    socket.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data)) as StreamEvent;
      if (event.type === 'ready') resolve();
      else events.push(event);
    });
    socket.addEventListener('close', () => reject(new Error('the realtime socket was closed')));
  });
  await ready;
  return {
    next: (type) =>
      poll(async () => {
        const at = events.findIndex((event) => event.type === type);
        return at >= 0 && events.splice(at, 1)[0];
      }, type),
    close: () => socket.close(),
  };
}
