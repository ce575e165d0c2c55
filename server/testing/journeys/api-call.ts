/** The API half of the main job: two people by plain requests, their sound by LiveKit's native SDK. */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hearFrom, publishTone } from '../../../sfu/testing/tones.ts';
import { poll, startService, type Service } from '../running-service.ts';

type Person = { id: string; username: string; token: string };
type Heard = { type: string; data: any }; // oxlint-disable-line typescript/no-explicit-any -- tests read events freely
type Talker = { room: Room; reconnected: number; sid(): string; hang(): Promise<void> };

/** How long LiveKit's clients may take to find a media server again that was killed: their own back-off. */
const rejoin_ms = 60_000;

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
  let [ada, ben]: Person[] = [];
  let streams: Record<'ada' | 'ben', Stream>;
  let join_code = '';
  const talkers: Talker[] = [];
  beforeAll(async () => {
    service = await startService({ configure });
  });
  afterAll(async () => {
    for (const talker of talkers) await talker.hang();
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
  const join = async (person: Person, hertz: number): Promise<Talker> => {
    const grant = await ask(person, `POST /calls/${join_code}/sfu-grant`, {});
    expect(grant.identity).toBe(person.id);
    const room = new Room();
    await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
    const tone = await publishTone(room, hertz);
    const talker: Talker = {
      room,
      reconnected: 0,
      sid: () => room.localParticipant?.sid ?? '',
      async hang() {
        await tone.stop();
        await room.disconnect();
      },
    };
    room.on(RoomEvent.Reconnected, () => talker.reconnected++);
    talkers.push(talker);
    return talker;
  };
  const bothHear = async (within_ms?: number) => {
    const [a, b] = talkers as [Talker, Talker];
    const [ada_hears, ben_hears] = await Promise.all([
      hearFrom(a.room, ben!.id, 660, within_ms),
      hearFrom(b.room, ada!.id, 440, within_ms),
    ]);
    return { ada_hears, ben_hears };
  };

  it('registers two people, and one makes a tag that the other finds', async () => {
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
    streams = { ada: await openStream(service, ada), ben: await openStream(service, ben) };
    await ask(ada, 'POST /xtags', { name: 'evenings', title: 'Evenings' });
    const found = await ask(ben, 'GET /xtags/search?q=evening');
    expect(found.items.map((tag: { name: string }) => tag.name)).toEqual(['evenings']);
  });

  it('rings the tag’s owner, and each hears the other’s tone', async () => {
    const call = await ask(ben!, 'POST /calls', { to: [{ tag: 'evenings' }] });
    join_code = call.join_code;
    const rung = await streams.ada.next('call.ringing');
    expect(rung.data.call).toMatchObject({ join_code, host: { username: 'ben' } });
    await join(ada!, 440);
    await join(ben!, 660);
    expect(await bothHear()).toEqual({ ada_hears: true, ben_hears: true });
    await poll(async () => Object.values(await states(ada!)).every((state) => state === 'joined'), 'both joined');
  });

  it('carries what is written to the other, and remembers it', async () => {
    const written = await ask(ada!, `POST /calls/${join_code}/chat`, { body: 'Can you hear me?' });
    expect((await streams.ben.next('chat.message')).data.message).toEqual(written);
    expect((await ask(ben!, `GET /calls/${join_code}/chat`)).items).toEqual([written]);
  });

  it('outlives a kill -9 of the service', async () => {
    const before = talkers.map(({ sid }) => sid());
    await service.killAndRestart();
    expect((await ask(ben!, 'GET /calls/active')).join_code).toBe(join_code);
    if (embedded) await poll(async () => talkers.every(({ sid }, at) => sid() !== before[at]), 'new joins', rejoin_ms);
    // Over LiveKit the signals are cut alone: its media go on until a native client joins anew.
    await poll(async () => talkers.every(({ reconnected }) => reconnected > 0), 'both back', rejoin_ms);
    expect(await bothHear(rejoin_ms)).toEqual({ ada_hears: true, ben_hears: true });
    await poll(async () => Object.values(await states(ada!)).every((state) => state === 'joined'), 'both joined again');
    for (const person of [ada!, ben!])
      expect(await ask(person, 'GET /calls/active')).toMatchObject({ join_code, state: 'live', end_reason: null });
    expect((await ask(ada!, `GET /calls/${join_code}/chat`)).items).toHaveLength(1);
  });

  it('sends one out who leaves, and ends with its host', async () => {
    const [a, b] = talkers as [Talker, Talker];
    const streams_again = await openStream(service, ben!);
    const gone = new Promise((resolve) => a.room.once(RoomEvent.Disconnected, resolve));
    await ask(ada!, `POST /calls/${join_code}/leave`, {});
    await gone;
    expect(await states(ben!)).toEqual({ ada: 'left', ben: 'joined' });
    const over = new Promise((resolve) => b.room.once(RoomEvent.Disconnected, resolve));
    await ask(ben!, 'DELETE /calls/active');
    await over;
    const ended = await streams_again.next('call.ended');
    expect(ended.data.call).toMatchObject({ join_code, state: 'ended', end_reason: 'hung_up' });
    streams_again.close();
    expect(await ask(ada!, `GET /calls/${join_code}`)).toMatchObject({ state: 'ended', end_reason: 'hung_up' });
    expect((await service.call('GET /calls/active', { token: ada!.token })).status).toBe(404);
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
