import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSfu, type Sfu } from '../index.ts';
import { LIMITS } from '../limits.ts';
import { testJoin } from '../testing/contracts/join.contract.ts';
import { testRights } from '../testing/contracts/rights.contract.ts';
import { RoomWorker } from './worker-channel.ts';
import { hearFrom, publishTone, until } from '../testing/tones.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const start = () => startSfu({ host: '127.0.0.1', port: 0, ...key, threads: 2, departure_timeout_s: 1 });

describe('a media server with two workers', () => {
  testJoin(async () => {
    const sfu = await start();
    return { url: sfu.url, ...key, close: () => sfu.close() };
  });
  testRights(async () => {
    const sfu = await start();
    return { url: sfu.url, ...key, close: () => sfu.close() };
  });
});

describe('rooms over two workers', () => {
  let sfu: Sfu;
  beforeAll(async () => {
    sfu = await start();
  });
  afterAll(() => sfu.close());
  const service = () => new RoomServiceClient(sfu.url, key.api_key, key.api_secret);

  async function connect(identity: string, room_name: string): Promise<Room> {
    const token = new AccessToken(key.api_key, key.api_secret, { identity });
    token.addGrant({ roomJoin: true, room: room_name });
    const room = new Room();
    await room.connect(sfu.url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
    return room;
  }

  test('each room is in one worker; the room service lists all rooms, and an ended room can be opened again', async () => {
    const rooms = await Promise.all(
      ['one', 'two'].flatMap((name) => ['alice', 'bob'].map((identity) => connect(identity, name))),
    );
    const [a1, b1, a2, b2] = rooms as [Room, Room, Room, Room];
    const tones = [await publishTone(a1, 440), await publishTone(a2, 880)];
    expect(await hearFrom(b1, 'alice', 440)).toBe(true);
    expect(await hearFrom(b2, 'alice', 880)).toBe(true);
    const listed = await service().listRooms();
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['one', 'two']);
    await until('the counts of both', () => sfu.stats().participants === 4 && sfu.stats().packets_out > 100);
    await service().createRoom({ name: 'three' });
    expect(await service().listRooms(['three'])).toHaveLength(1);
    for (const tone of tones) await tone.stop();
    await Promise.all(rooms.map((room) => room.disconnect()));
    await until('the rooms to end', async () => (await service().listRooms(['one', 'two'])).length === 0, 20_000);
    const again = await connect('alice', 'one');
    expect((await service().listParticipants('one')).map(({ identity }) => identity)).toEqual(['alice']);
    await again.disconnect();
  });

  test('refused requests create no rooms', async () => {
    const stranger = new RoomServiceClient(sfu.url, key.api_key, 'another-secret-of-thirty-two-bytes-xx');
    for (let round = 0; round < 20; round++)
      await expect(stranger.createRoom({ name: `refused-${round}` })).rejects.toThrow('signature');
    expect(await service().listRooms()).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ name: 'refused-1' })]),
    );
    await expect(service().getParticipant('nowhere', 'nobody')).rejects.toThrow('not exist');
  });

  test('a failed worker is replaced, with a longer delay after each failure', async () => {
    const failures: string[] = [];
    const settings = { empty_timeout_s: 60, departure_timeout_s: 10, max_participants: 0, metadata: '' };
    const media = { node_ips: ['127.0.0.1'], udp_port: 0, tcp_port: undefined };
    const worker = new RoomWorker(
      { settings, media, ...key },
      {
        settings,
        media,
        ...key,
        onWebhook: () => undefined,
        iceServersFor: () => [],
        log: (_level, message) => failures.push(message),
      },
    );
    await worker.ready();
    const call = { method: 'ListRooms', content_type: 'application/json', bearer: 'x', body: Buffer.from('{}') };
    await expect(worker.call(call)).rejects.toThrow('malformed');
    // An invalid message ends the worker.
    worker.post({ type: 'open' } as never);
    await expect(worker.call(call)).rejects.toThrow('has ended');
    const ended_at_ms = performance.now();
    await worker.ready();
    const first_pause_ms = performance.now() - ended_at_ms;
    expect(first_pause_ms).toBeGreaterThan(LIMITS.restart_delay_ms - 50);
    await expect(worker.call(call)).rejects.toThrow('malformed');
    expect(failures).toEqual(['a media worker failed']);
    // After another failure soon, the delay is longer.
    worker.post({ type: 'open' } as never);
    await expect(worker.call(call)).rejects.toThrow('has ended');
    const again_at_ms = performance.now();
    await worker.ready();
    expect(performance.now() - again_at_ms).toBeGreaterThan(LIMITS.restart_delay_ms * 2 - 50);
    await worker.close();
  });
});
