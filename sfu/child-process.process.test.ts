import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { startSfuProcess, type ChildOptions, type SfuProcess } from './child-process.ts';
import { until } from './testing/tones.ts';

const key = { api_key: 'test-key', api_secret: 'test-secret-of-at-least-thirty-two-bytes' };
const options: ChildOptions = { host: '127.0.0.1', port: 0, ...key, ice: { urls: [], secret: undefined } };
const service = (url: string) => new RoomServiceClient(url, key.api_key, key.api_secret);

let sfu: SfuProcess | undefined;
afterEach(async () => {
  await sfu?.close();
  sfu = undefined;
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the process starts with the first client, serves all concurrent requests, and ends on close', async () => {
  sfu = await startSfuProcess(options);
  const { url } = sfu;
  expect(sfu.pid()).toBeUndefined();
  const rooms = await Promise.all(['a', 'b', 'c'].map((name) => service(url).createRoom({ name })));
  expect(rooms.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const pid = sfu.pid() ?? 0;
  expect(isAlive(pid)).toBe(true);
  await until('its counts', () => sfu?.stats().rooms === 3);
  await sfu.close();
  expect(isAlive(pid)).toBe(false);
  await expect(service(url).listRooms()).rejects.toThrow('fetch failed');
});

test('a killed process is logged and restarted on the same port', async () => {
  const lines: string[] = [];
  sfu = await startSfuProcess(options, (line) => void lines.push(`${line.message} ${String(line['signal'])}`));
  await service(sfu.url).createRoom({ name: 'before' });
  const first = sfu.pid() ?? 0;
  process.kill(first, 'SIGKILL');
  await until('the next process', () => ![undefined, first].includes(sfu?.pid()));
  // Its rooms are lost; clients join again.
  expect(await service(sfu.url).listRooms()).toEqual([]);
  expect(lines).toEqual(['the media server process exited and will be restarted SIGKILL']);
});

test('a process whose event loop does not respond is killed and restarted', async () => {
  const lines: string[] = [];
  sfu = await startSfuProcess(options, (line) => void lines.push(line.message), 1_500);
  await service(sfu.url).listRooms();
  const first = sfu.pid() ?? 0;
  process.kill(first, 'SIGSTOP');
  await until('the next process', () => ![undefined, first].includes(sfu?.pid()), 30_000);
  expect(await service(sfu.url).listRooms()).toEqual([]);
  expect(lines[0]).toBe('the media server process does not respond and is killed');
});

test('a media port that is in use is reported on start', async () => {
  const occupied = createSocket('udp4').bind(0, '127.0.0.1');
  await once(occupied, 'listening');
  await expect(startSfuProcess({ ...options, udp_port: occupied.address().port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  occupied.close();
});

test('the media process ends when the service is killed', async () => {
  const script = `
    import { startSfuProcess } from ${JSON.stringify(join(import.meta.dirname, 'child-process.ts'))};
    const sfu = await startSfuProcess(${JSON.stringify(options)});
    sfu.prepare();
    await fetch(sfu.url);
    console.log(sfu.pid());
  `;
  const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  owner.kill('SIGKILL');
  await until('the media process to end', () => !isAlive(pid));
});
