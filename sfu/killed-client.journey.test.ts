import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebhookReceiver } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { startSfu } from './index.ts';

const api_key = 'test-key';
const api_secret = 'test-secret-of-at-least-thirty-two-bytes';
const CLIENTS = join(import.meta.dirname, '../tools/bench/sfu-clients.ts');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function until(what: string, condition: () => boolean, within_ms: number): Promise<number> {
  const started_ms = performance.now();
  while (!condition()) {
    if (performance.now() - started_ms > within_ms) throw new Error(`waited ${within_ms} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - started_ms;
}

test('killed clients are removed within 20 s, then their room, with webhooks in order', async () => {
  const receiver = new WebhookReceiver(api_key, api_secret);
  const events: string[] = [];
  const hooks = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      receiver
        .receive(Buffer.concat(parts).toString(), request.headers.authorization)
        .then((event) => events.push(event.event))
        .catch((error: unknown) => events.push(String(error)))
        .finally(() => response.end());
    });
  });
  await new Promise<void>((resolve) => {
    hooks.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => hooks.close());
  const webhook_url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`;
  const sfu = await startSfu({ host: '127.0.0.1', port: 0, api_key, api_secret, webhook_url, departure_timeout_s: 1 });
  closing.push(() => sfu.close());

  const url = sfu.url.replace('http', 'ws');
  const clients = spawn(process.execPath, [CLIENTS, url, '2', api_key, api_secret], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  closing.push(() => clients.kill('SIGKILL'));
  const output: string[] = [];
  clients.stdout.on('data', (text: Buffer) => output.push(text.toString()));
  await until('both to receive audio', () => output.join('').includes('"bench":"ready"'), 20_000);
  expect(sfu.stats()).toMatchObject({ rooms: 1, participants: 2 });
  await until('audio', () => sfu.stats().packets_out > 100, 10_000);

  clients.kill('SIGKILL');
  const removed_after_ms = await until('both to be removed', () => sfu.stats().participants === 0, 20_000);
  expect(removed_after_ms).toBeGreaterThan(5_000);
  await until('the room to end', () => sfu.stats().rooms === 0, 5_000);
  await until('the last webhook', () => events.includes('room_finished'), 5_000);
  const twice = (name: string) => [name, name];
  expect(events[0]).toBe('room_started');
  expect(events.slice(1, 5).toSorted()).toEqual([...twice('participant_joined'), ...twice('track_published')]);
  expect(events.slice(5, 9).toSorted()).toEqual([...twice('participant_left'), ...twice('track_unpublished')]);
  expect(events.slice(9)).toEqual(['room_finished']);
});
