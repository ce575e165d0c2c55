/** The behaviour that clients of LiveKit's native SDK require of a media server, the embedded one and LiveKit alike. */
import { once } from 'node:events';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { Room, RoomEvent, type RemoteTrack } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hearFrom, hearTone, publishTone, until } from '../tones.ts';

/** A media server under test, and the key that signs its tokens. */
export type JoinTarget = { url: string; api_key: string; api_secret: string; close(): Promise<void> };

/** Declares the suite's tests. @param start starts the media server */
export function testJoin(start: () => Promise<JoinTarget>): void {
  let target: JoinTarget;
  let url = '';
  let api_key = '';
  let api_secret = '';
  let rooms = 0;
  const open = new Set<Room>();
  const newRoomName = () => `join-test-${process.pid}-${++rooms}`;

  // A refused publication times out in the client after ten seconds, which is awaited in parallel with the other tests.
  let mute: { room: Room; name: string; outcome: Promise<'published' | 'refused'> };

  beforeAll(async () => {
    target = await start();
    ({ url, api_key, api_secret } = target);
    const name = newRoomName();
    const room = await connect('alice', name, { canPublish: false });
    const outcome = publishTone(room, 440).then(
      () => 'published' as const,
      () => 'refused' as const,
    );
    mute = { room, name, outcome };
  });
  afterAll(async () => {
    await Promise.all([...open].map((room) => room.disconnect()));
    await target.close();
  });

  async function connect(identity: string, room_name: string, grant = {}): Promise<Room> {
    const room = new Room();
    await room.connect(url.replace('http', 'ws'), await createToken(identity, room_name, { grant }), {
      autoSubscribe: true,
      dynacast: false,
    });
    open.add(room);
    return room;
  }

  function createToken(
    identity: string,
    room: string,
    options: { secret?: string; ttl?: number; grant?: object } = {},
  ) {
    const token = new AccessToken(api_key, options.secret ?? api_secret, { identity, ttl: options.ttl ?? 600 });
    token.addGrant({ roomJoin: true, roomCreate: true, room, ...options.grant });
    return token.toJwt();
  }

  test('B receives the tone of A, its mute and its end, a second tone, and the departure of A', async () => {
    const name = newRoomName();
    const [a, b] = [await connect('alice', name), await connect('bob', name)];
    const subscribed = once(b, RoomEvent.TrackSubscribed);
    const speakers: string[] = [];
    b.on(RoomEvent.ActiveSpeakersChanged, (list: { identity: string }[]) =>
      speakers.push(...list.map((speaker) => speaker.identity)),
    );
    const { stop, publication } = await publishTone(a, 440);
    const [track] = (await subscribed) as [RemoteTrack];
    expect(await hearTone(track, 440)).toBe(true);
    await until('alice to be named as speaker', () => speakers.includes('alice'));
    const muted = once(b, RoomEvent.TrackMuted);
    const service = new RoomServiceClient(url, api_key, api_secret);
    await service.mutePublishedTrack(name, 'alice', publication?.sid ?? '', true);
    await muted;
    const unpublished = once(b, RoomEvent.TrackUnpublished);
    await a.localParticipant?.unpublishTrack(publication?.sid ?? '');
    await unpublished;
    const again = once(b, RoomEvent.TrackSubscribed);
    const second = await publishTone(a, 880);
    const [second_track] = (await again) as [RemoteTrack];
    expect(await hearTone(second_track, 880)).toBe(true);
    await second.stop();
    await stop();
    const left = once(b, RoomEvent.ParticipantDisconnected);
    await a.disconnect();
    const [participant] = (await left) as [{ identity: string }];
    expect(participant.identity).toBe('alice');
    await b.disconnect();
  });

  test('participants receive the audio of each other, and one who joins later receives both', async () => {
    const name = newRoomName();
    const [a, b] = [await connect('alice', name), await connect('bob', name)];
    const tones = [await publishTone(a, 440), await publishTone(b, 660)];
    expect(await hearFrom(a, 'bob', 660)).toBe(true);
    expect(await hearFrom(b, 'alice', 440)).toBe(true);
    const c = await connect('carol', name);
    expect(await hearFrom(c, 'alice', 440)).toBe(true);
    expect(await hearFrom(c, 'bob', 660)).toBe(true);
    for (const tone of tones) await tone.stop();
    await Promise.all([a, b, c].map((room) => room.disconnect()));
  });

  test('data is sent to all, or only to its addressees', async () => {
    const name = newRoomName();
    const [a, b, c] = [await connect('alice', name), await connect('bob', name), await connect('carol', name)];
    const messages: string[] = [];
    for (const [who, room] of [
      ['a', a],
      ['b', b],
      ['c', c],
    ] as const)
      room.on(RoomEvent.DataReceived, (payload: Uint8Array, from?: { identity: string }) =>
        messages.push(`${who}<${from?.identity}:${Buffer.from(payload).toString()}`),
      );
    await until('all to see each other', () => a.remoteParticipants.size === 2 && b.remoteParticipants.size === 2);
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    await a.localParticipant?.publishData(bytes('all'), { reliable: true });
    await b.localParticipant?.publishData(bytes('back'), { reliable: true, destination_identities: ['alice'] });
    await a.localParticipant?.publishData(bytes('last'), { reliable: true });
    await until('five packets', () => messages.length >= 5 && messages.includes('c<alice:last'));
    expect(messages.toSorted()).toEqual(['a<bob:back', 'b<alice:all', 'b<alice:last', 'c<alice:all', 'c<alice:last']);
    await Promise.all([a, b, c].map((room) => room.disconnect()));
  });

  test('tokens with a wrong signature, an expired time or no room are refused with 401', async () => {
    const name = newRoomName();
    const wrong_key = createToken('eve', name, { secret: 'x'.repeat(40) });
    const expired = createToken('eve', name, { ttl: -3600 });
    const roomless = createToken('eve', name, { grant: { roomJoin: false } });
    for (const token of await Promise.all([wrong_key, expired, roomless])) {
      const reply = await fetch(`${url}/rtc/validate?access_token=${token}`);
      expect(reply.status).toBe(401);
      const socket = new WebSocket(`${url.replace('http', 'ws')}/rtc?access_token=${token}`);
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toContain('401');
    }
    await expect(new Room().connect(url.replace('http', 'ws'), await wrong_key)).rejects.toThrow();
  });

  test('a garbled frame closes only the connection of its client', async () => {
    const name = newRoomName();
    const a = await connect('alice', name);
    for (const frame of [Buffer.alloc(600, 0xff), Buffer.from('0a'.repeat(4), 'hex')]) {
      const socket = new WebSocket(
        `${url.replace('http', 'ws')}/rtc?access_token=${await createToken('mallory', name)}&protocol=16`,
      );
      await once(socket, 'message');
      const closed = once(socket, 'close');
      socket.send(frame);
      await closed;
    }
    const b = await connect('bob', name);
    const received = once(a, RoomEvent.DataReceived);
    await b.localParticipant?.publishData(new Uint8Array([1]), { reliable: true });
    await received;
    await until('alice to see bob', () => a.remoteParticipants.has('bob'));
    await Promise.all([a.disconnect(), b.disconnect()]);
  });

  test('a second join with the same identity disconnects the first', async () => {
    const name = newRoomName();
    const first = await connect('alice', name);
    const disconnected = once(first, RoomEvent.Disconnected);
    const second = await connect('alice', name);
    await disconnected;
    expect(second.isConnected).toBe(true);
    await second.disconnect();
  });

  test('a participant without the right to publish cannot, and the room service lists and removes participants', async () => {
    const { room, name, outcome } = mute;
    const service = new RoomServiceClient(url, api_key, api_secret);
    await until('alice to be listed', async () => (await service.listParticipants(name)).length === 1);
    expect(await outcome).toBe('refused');
    expect((await service.listParticipants(name)).flatMap(({ tracks }) => tracks)).toEqual([]);
    const disconnected = once(room, RoomEvent.Disconnected);
    await service.removeParticipant(name, 'alice');
    await disconnected;
    await until('the list to be empty', async () => (await service.listParticipants(name)).length === 0);
  });
}
