/** Clients flood a call with data messages or audio: the API, the audio of the others and the memory are not affected. */
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AudioStream, Room } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearFrom, publishTone, shareAt } from '../../../../sfu/testing/tones.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { freePort, startService, type Service } from '../../running/running-service.ts';

const flood_s = 5;
const service_key = randomBytes(32).toString('base64');
const rate_hz = 48_000;
const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The threads of a process; none once it has ended, as processes of the database do at any time. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Resident memory of a process and its children, in MB; only on Linux. */
function residentOf(pid: number): number {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const kb = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  const is_node = read(`/proc/${pid}/comm`).startsWith('node');
  const children = threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .flatMap((child) => Number(child) || []),
  );
  return (is_node ? kb / 1024 : 0) + children.reduce((sum, child) => sum + residentOf(child), 0);
}

describe('a flood', () => {
  let service: Service;
  let ada: RunningPerson;
  let media_url = '';
  const rooms: Room[] = [];
  const key = { api_key: 'embedded', api_secret: '' };
  beforeAll(async () => {
    const media_port = await freePort();
    media_url = `ws://127.0.0.1:${media_port}`;
    service = await startService({
      is_program: true,
      environment: { MEDIA_PORT: String(media_port), SERVICE_KEY: service_key },
    });
    key.api_secret = createHmac('sha256', Buffer.from(service_key)).update('embedded media server').digest('base64url');
    ada = await signUp(service, 'ada', '+14155550142');
  });
  afterAll(async () => {
    await Promise.all(rooms.map((room) => room.disconnect()));
    await service.close();
  });

  async function joinRoom(identity: string, name: string): Promise<Room> {
    // Only the service creates rooms, here with its key.
    await new RoomServiceClient(media_url.replace('ws', 'http'), key.api_key, key.api_secret).createRoom({ name });
    const token = new AccessToken(key.api_key, key.api_secret, { identity });
    token.addGrant({ roomJoin: true, room: name });
    const room = new Room();
    await room.connect(media_url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
    rooms.push(room);
    return room;
  }

  /** Listens until stopped. @returns a function that stops, and returns the longest time in ms without the tone */
  function listen(room: Room, identity: string, hertz: number): () => Promise<number> {
    const publications = room.remoteParticipants.get(identity)?.trackPublications.values() ?? [];
    const track = [...publications].find((entry) => entry.track)?.track;
    if (!track) throw new Error(`${identity} is not heard`);
    const reader = new AudioStream(track, rate_hz, 1).getReader();
    let gap_ms = 0;
    let max_ms = 0;
    let heard_at_ms = performance.now();
    const reading = (async () => {
      for (let frame = await reader.read(); !frame.done; frame = await reader.read()) {
        const frame_ms = (frame.value.samplesPerChannel * 1000) / rate_hz;
        gap_ms = shareAt(frame.value.data, rate_hz, hertz) > 0.5 ? 0 : gap_ms + frame_ms;
        // A stalled stream yields no frames at all.
        max_ms = Math.max(max_ms, gap_ms, performance.now() - heard_at_ms);
        heard_at_ms = performance.now();
      }
    })();
    return async () => {
      max_ms = Math.max(max_ms, performance.now() - heard_at_ms);
      await reader.cancel();
      await reading;
      return max_ms;
    };
  }

  /** @param script floods the room `name` or, for media, another one */
  async function flood(name: string, script: string, flooding: { room: string; clients: number; per_second: number }) {
    const { room, clients, per_second } = flooding;
    await new RoomServiceClient(media_url.replace('ws', 'http'), key.api_key, key.api_secret).createRoom({
      name: room,
    });
    const [alice, bob] = [await joinRoom('alice', name), await joinRoom('bob', name)];
    const tone = await publishTone(alice, 440);
    expect(await hearFrom(bob, 'alice', 440)).toBe(true);
    const args = [script, media_url, key.api_key, key.api_secret, room, String(clients), String(per_second)];
    const sender = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    // The iterator buffers lines, also while no read is pending.
    const lines = createInterface({ input: sender.stdout })[Symbol.asyncIterator]();
    /** The next line with this beginning; log lines of the clients may precede it. */
    const readLine = async (beginning: string) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the sender ended before it wrote ${beginning}`);
        if (value.startsWith(beginning)) return value;
      }
    };
    await readLine('ready');
    const before_mb = residentOf(service.process.pid ?? 0);
    const stopListening = listen(bob, 'alice', 440);
    const times_ms: number[] = [];
    let max_mb = 0;
    for (const end_ms = performance.now() + flood_s * 1000; performance.now() < end_ms;) {
      const started_ms = performance.now();
      expect((await service.call('GET /me', { token: ada.token })).status).toBe(200);
      times_ms.push(performance.now() - started_ms);
      max_mb = Math.max(max_mb, residentOf(service.process.pid ?? 0));
    }
    const gap_ms = await stopListening();
    sender.stdin.end();
    const counts = JSON.parse(await readLine('{"sent"')) as {
      sent: number;
      received: { messages: number; missing: number }[];
      per_second?: number;
    };
    if (sender.exitCode === null) await once(sender, 'exit');
    await tone.stop();
    times_ms.sort((a, b) => a - b);
    const p99_ms = times_ms[Math.floor(times_ms.length * 0.99)] ?? 0;
    const grown_mb = max_mb - before_mb;
    process.stdout.write(
      `${script}, ${per_second || 'any number'}/s: GET /me p99 ${p99_ms.toFixed(1)} ms of ${times_ms.length}, longest gap ${gap_ms.toFixed(0)} ms, memory +${grown_mb.toFixed(0)} MB, ${JSON.stringify(counts)}\n`,
    );
    return { p99_ms, gap_ms, grown_mb, counts };
  }

  it.each([
    ['450 messages a second to six receivers', 450],
    ['as many messages as the sender can send', 0],
  ])('of data, %s, delays no request, uses no memory, and is delivered completely', async (_, per_second) => {
    const room = `flood-${per_second}`;
    const flooding = { room, clients: 4, per_second };
    const { p99_ms, gap_ms, grown_mb, counts } = await flood(room, 'sfu/testing/flood-data.ts', flooding);
    expect(p99_ms).toBeLessThan(250);
    expect(gap_ms).toBeLessThan(1_000);
    expect(grown_mb).toBeLessThan(150);
    for (const { messages, missing } of counts.received) {
      expect(messages).toBeGreaterThan(200);
      expect(missing).toBe(0);
    }
  });

  it('of audio, by 40 clients at their limits, delays no request, and no audio in another room', async () => {
    // Together 16,000 packets a second, where a room may send 15,000.
    const flooding = { room: 'flooded', clients: 40, per_second: 400 };
    const { p99_ms, gap_ms, grown_mb, counts } = await flood('beside', 'sfu/testing/flood-media.ts', flooding);
    expect(counts.per_second).toBeGreaterThan(1_000);
    expect(p99_ms).toBeLessThan(250);
    expect(gap_ms).toBeLessThan(1_000);
    expect(grown_mb).toBeLessThan(150);
  });
});
