import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebhookEvent } from '@livekit/protocol';
import { WebhookReceiver } from 'livekit-server-sdk';
import { afterEach, expect, test } from 'vitest';
import { createWebhookSender } from './webhook.ts';

const api_key = 'key';
const api_secret = 'a-secret-of-at-least-thirty-two-bytes!';
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

/** Starts a receiver that verifies each event and responds with the given statuses, then 200. */
async function listen(statuses: number[]) {
  const receiver = new WebhookReceiver(api_key, api_secret);
  const received: string[] = [];
  const types = new Set<string>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      types.add(request.headers['content-type'] ?? '');
      receiver.receive(Buffer.concat(parts).toString(), request.headers.authorization).then(
        (event) => {
          const status = statuses.shift() ?? 200;
          received.push(`${event.id}:${status}`);
          return response.writeHead(status).end();
        },
        (error: unknown) => {
          received.push(String(error));
          return response.writeHead(401).end();
        },
      );
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, types };
}

test('events are signed, retried and sent in order within a room', async () => {
  const { url, received, types } = await listen([500, 503]);
  const sender = createWebhookSender({ url, api_key, api_secret, retry_wait_ms: 5 });
  for (const id of ['1', '2', '3']) sender.send('room', new WebhookEvent({ event: 'track_published', id }));
  await sender.close(5_000);
  expect(received).toEqual(['1:500', '1:503', '1:200', '2:200', '3:200']);
  expect([...types]).toEqual(['application/webhook+json']);
});

test('an event that is never accepted is dropped after five attempts, and the next one is sent', async () => {
  const { url, received } = await listen([500, 500, 500, 500, 500]);
  const dropped: string[] = [];
  const sender = createWebhookSender({
    url,
    api_key,
    api_secret,
    retry_wait_ms: 1,
    onError: (event) => dropped.push(event.id),
  });
  for (const id of ['1', '2']) sender.send('room', new WebhookEvent({ event: 'room_started', id }));
  await sender.close(5_000);
  expect(received).toEqual(['1:500', '1:500', '1:500', '1:500', '1:500', '2:200']);
  expect(dropped).toEqual(['1']);
});

test('closing does not wait for an unreachable receiver', async () => {
  const sender = createWebhookSender({ url: 'http://127.0.0.1:1/', api_key, api_secret, retry_wait_ms: 60_000 });
  sender.send('room', new WebhookEvent({ event: 'room_started', id: '1' }));
  const started = performance.now();
  await sender.close(50);
  expect(performance.now() - started).toBeLessThan(3_000);
});
