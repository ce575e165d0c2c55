import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './testing/tones.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const AT_ONCE = 5;
const FIRST = 200;
const ALL = 600;

let server: ChildProcess;
let lines: NodeJS.AsyncIterator<string>;
let url = '';
beforeAll(async () => {
  const { api_key: SFU_API_KEY, api_secret: SFU_API_SECRET } = key;
  server = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, SFU_PORT: '0', SFU_API_KEY, SFU_API_SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!server.stdout) throw new Error('the server has no output');
  // The iterator buffers lines that arrive while none is awaited.
  lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  ({ url } = await readLine<{ url: string }>('ready'));
});
afterAll(() => server.kill('SIGKILL'));

async function readLine<T>(message: string): Promise<T> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the server ended before it wrote ${message}`);
    const line = JSON.parse(value) as { message: string };
    if (line.message === message) return line as T;
  }
}

type Stats = { participants: number; heap_bytes: number; rss_bytes: number };
async function readStats(): Promise<Stats> {
  const answered = readLine<Stats>('stats');
  server.kill('SIGUSR2');
  return answered;
}

/** Joins with media and data connections, as a client does, and leaves. */
async function joinAndLeave(index: number): Promise<void> {
  const token = new AccessToken(key.api_key, key.api_secret, { identity: `visitor-${index}` });
  token.addGrant({ roomJoin: true, room: `room-${index % 3}` });
  const room = new Room();
  await room.connect(url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
  await room.disconnect();
}

test('many joins and leaves do not increase the memory', async () => {
  const measured: Stats[] = [];
  for (let from = 0; from < ALL; from += AT_ONCE) {
    if (from === FIRST) measured.push(await awaitEmpty());
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => joinAndLeave(from + index)));
  }
  measured.push(await awaitEmpty());
  const [before, after] = measured as [Stats, Stats];
  const grown_mb = (after.heap_bytes - before.heap_bytes) / 1e6;
  process.stdout.write(
    `heap after ${FIRST} and ${ALL}: ${measured.map(({ heap_bytes }) => (heap_bytes / 1e6).toFixed(1)).join(' and ')} MB, resident ${measured.map(({ rss_bytes }) => Math.round(rss_bytes / 1e6)).join(' and ')} MB\n`,
  );
  // A leak of one connection (a DTLS and an SCTP association, their timers and buffers) would be 0.1 MB and more.
  expect(grown_mb).toBeLessThan(4);
});

/** Waits until all participants have left. @returns the figures then */
async function awaitEmpty(): Promise<Stats> {
  let stats = await readStats();
  await until('all to leave', async () => (stats = await readStats()).participants === 0, 40_000);
  return stats;
}
