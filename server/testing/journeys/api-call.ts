/** The API half of the main job: two people by plain requests, their sound by LiveKit's native SDK. */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hearFrom, publishTone, settle } from '../../../sfu/testing/tones.ts';
import { poll, startService, type Service } from '../running-service.ts';

type Person = { id: string; username: string; token: string };
type Heard = { type: string; data: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read events freely
type Talker = { room: Room; reconnected: number; has_ended: boolean; sid(): string; hang(): Promise<void> };

const hertz = { ada: 440, ben: 660 };
type Name = keyof typeof hertz;
const names: Name[] = ['ada', 'ben'];

/** How long LiveKit's clients may take to find a media server again that was killed: their own back-off. */
const rejoin_ms = 60_000;
/** How soon whoever is back is heard, and whoever is sent out knows it. */
const settled_ms = 30_000;

/** What the journey needs to know of its surroundings. */
export type Environment = {
  /** Variables that choose the media server. */
  configure?: (port: number) => Record<string, string>;
  /** Whether the media server ends with the service. */
  embedded: boolean;
};

/** Declares the journey's tests, which go on from each other. */
export function testApiCall({ configure, embedded }: Environment): void {
  let service: Service;
  const people = {} as Record<Name, Person>;
  let streams: Record<Name, Stream>;
  let join_code = '';
  const talkers = {} as Record<Name, Talker>;
  let are_back = false;
  beforeAll(async () => {
    service = await startService({ configure });
  });
  afterAll(async () => {
    for (const talker of Object.values(talkers)) await talker.hang();
    for (const stream of Object.values(streams ?? {})) stream.close();
    await service.close();
  });

  const ask = async (person: Person, route: string, body?: unknown) => {
    const answer = await service.call(route, { token: person.token, body });
    expect([200, 201, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    return answer.body;
  };
  const states = async (viewer: Person): Promise<Record<string, string>> => {
    const { participants } = await ask(viewer, `GET /calls/${join_code}`);
    return Object.fromEntries(participants.map((one: { name: string; state: string }) => [one.name, one.state]));
  };
  const bothJoined = () =>
    poll(async () => Object.values(await states(people.ada)).every((state) => state === 'joined'), 'both joined');
  const join = async (name: Name): Promise<void> => {
    await talkers[name]?.hang();
    const grant = await ask(people[name], `POST /calls/${join_code}/sfu-grant`, {});
    expect(grant.identity).toBe(people[name].id);
    const room = new Room();
    await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
    const tone = await publishTone(room, hertz[name]);
    const talker: Talker = {
      room,
      reconnected: 0,
      has_ended: false,
      sid: () => room.localParticipant?.sid ?? '',
      async hang() {
        await tone.stop();
        await settle(room.disconnect());
      },
    };
    room.on(RoomEvent.Reconnected, () => talker.reconnected++);
    room.on(RoomEvent.Disconnected, () => {
      talker.has_ended = true;
    });
    talkers[name] = talker;
  };
  /** Waits until a client is back. It gives up after ten attempts, which a slow start outlasts; an app then joins anew. */
  const comeBack = async (name: Name): Promise<void> => {
    const talker = talkers[name];
    await poll(async () => talker.reconnected > 0 || talker.has_ended, `${name} to be back`, rejoin_ms);
    if (talker.has_ended) await join(name);
  };
  const sentOut = (name: Name) => poll(async () => talkers[name].has_ended, `the end of ${name}’s room`, settled_ms);
  const bothHear = async (within_ms?: number) => {
    const hears = (name: Name, other: Name) => hearFrom(talkers[name].room, people[other].id, hertz[other], within_ms);
    const [ada_hears, ben_hears] = await Promise.all([hears('ada', 'ben'), hears('ben', 'ada')]);
    return { ada_hears, ben_hears };
  };

  it('registers two people, and one makes a tag that the other finds', async () => {
    people.ada = await signUp(service, 'ada', '+14155550101');
    people.ben = await signUp(service, 'ben', '+14155550102');
    streams = { ada: await openStream(service, people.ada), ben: await openStream(service, people.ben) };
    await ask(people.ada, 'POST /xtags', { name: 'evenings', title: 'Evenings' });
    const found = await ask(people.ben, 'GET /xtags/search?q=evening');
    expect(found.items.map((tag: { name: string }) => tag.name)).toEqual(['evenings']);
  });

  it('rings the tag’s owner, and each hears the other’s tone', async () => {
    const call = await ask(people.ben, 'POST /calls', { to: [{ tag: 'evenings' }] });
    join_code = call.join_code;
    const rung = await streams.ada.next('call.ringing');
    expect(rung.data.call).toMatchObject({ join_code, host: { username: 'ben' } });
    await join('ada');
    await join('ben');
    expect(await bothHear()).toEqual({ ada_hears: true, ben_hears: true });
    await bothJoined();
  });

  it('carries what is written to the other, and remembers it', async () => {
    const written = await ask(people.ada, `POST /calls/${join_code}/chat`, { body: 'Can you hear me?' });
    expect((await streams.ben.next('chat.message')).data.message).toEqual(written);
    expect((await ask(people.ben, `GET /calls/${join_code}/chat`)).items).toEqual([written]);
  });

  it('outlives a kill -9 of the service', async () => {
    const sids = () => names.map((name) => talkers[name].sid());
    const before = sids();
    await service.killAndRestart();
    expect((await ask(people.ben, 'GET /calls/active')).join_code).toBe(join_code);
    // Over LiveKit the signals are cut alone: its media go on until a native client joins anew.
    await Promise.all(names.map(comeBack));
    if (embedded) await poll(async () => sids().every((sid, at) => sid !== before[at]), 'new joins', settled_ms);
    expect(await bothHear(settled_ms)).toEqual({ ada_hears: true, ben_hears: true });
    await bothJoined();
    for (const person of Object.values(people))
      expect(await ask(person, 'GET /calls/active')).toMatchObject({ join_code, state: 'live', end_reason: null });
    expect((await ask(people.ada, `GET /calls/${join_code}/chat`)).items).toHaveLength(1);
    are_back = true;
  });

  it('sends one out who leaves, and ends with its host', async () => {
    // Clients of a test that failed may hear no more that they are sent out.
    if (!are_back) await Promise.all(names.map(join));
    const streams_again = await openStream(service, people.ben);
    await ask(people.ada, `POST /calls/${join_code}/leave`, {});
    await sentOut('ada');
    expect(await states(people.ben)).toEqual({ ada: 'left', ben: 'joined' });
    await ask(people.ben, 'DELETE /calls/active');
    await sentOut('ben');
    const ended = await streams_again.next('call.ended');
    expect(ended.data.call).toMatchObject({ join_code, state: 'ended', end_reason: 'hung_up' });
    streams_again.close();
    expect(await ask(people.ada, `GET /calls/${join_code}`)).toMatchObject({ state: 'ended', end_reason: 'hung_up' });
    expect((await service.call('GET /calls/active', { token: people.ada.token })).status).toBe(404);
  });
}

async function signUp(service: Service, username: string, mobile_number: string): Promise<Person> {
  const email = `${username}@example.org`;
  const begun = await service.call('POST /auth/register', {
    body: { username, email, password: 'a quiet river stone' },
  });
  expect(begun.status).toBe(201);
  const { registration_id } = begun.body;
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

type Stream = { next(type: string): Promise<Heard>; close(): void };

/** The realtime socket of a person; `next` takes the first event of a type that was not taken yet. */
async function openStream(service: Service, { token }: Person): Promise<Stream> {
  const { body: grant } = await service.call('POST /realtime/grant', { token, body: {} });
  const socket = new WebSocket(grant.url);
  const heard: Heard[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'resume', token: grant.token })));
    socket.addEventListener('message', ({ data }) => {
      const event = JSON.parse(String(data)) as Heard;
      if (event.type === 'ready') resolve();
      else heard.push(event);
    });
    socket.addEventListener('close', () => reject(new Error('the realtime socket was closed')));
  });
  await ready;
  return {
    next: (type) =>
      poll(async () => {
        const at = heard.findIndex((event) => event.type === type);
        return at >= 0 && heard.splice(at, 1)[0];
      }, type),
    close: () => socket.close(),
  };
}
