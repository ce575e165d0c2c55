import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket as ServerSocket } from 'ws';
import { ApiError } from './errors.ts';
import { RealtimeStream } from './realtime.ts';
import type { RealtimeEvent } from './realtime-events.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Connection {
  socket: ServerSocket;
  first: { type: string; token: string; last_event_id?: string };
}

/** A gateway that passes each connection, with its first frame, to the test in turn. */
async function startGateway() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const waiting: Connection[] = [];
  const takers: ((connection: Connection) => void)[] = [];
  server.on('connection', (socket) => {
    socket.once('message', (data: Buffer) => {
      const connection = { socket, first: JSON.parse(data.toString()) as Connection['first'] };
      const taker = takers.shift();
      if (taker === undefined) waiting.push(connection);
      else taker(connection);
    });
  });
  closers.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () =>
      new Promise<Connection>((resolve) => {
        const ready = waiting.shift();
        if (ready === undefined) takers.push(resolve);
        else resolve(ready);
      }),
  };
}

function openStream(createGrant: () => Promise<{ url: string; token: string }>, begin_at?: string) {
  const stream = new RealtimeStream({ createGrant, last_event_id: begin_at, backoff_ms: 5, max_backoff_ms: 20 });
  closers.push(() => stream.close());
  const told: string[] = [];
  stream.on('chat.typing', ({ id }: RealtimeEvent<'chat.typing'>) => told.push(id));
  stream.onSignal('ready', ({ resumed }) => told.push(resumed ? 'resumed' : 'fresh'));
  stream.onSignal('reset', ({ last_event_id }) => told.push(`reset ${last_event_id ?? ''}`));
  return { stream, told };
}

const send = (socket: ServerSocket, frame: object) => socket.send(JSON.stringify(frame));
const typing = (id: string) => ({ id, type: 'chat.typing', at: '2026-01-01T00:00:00Z', data: {} });

test('begins where an answer was read, and says that nothing since then was missed', async () => {
  const gateway = await startGateway();
  const { stream, told } = openStream(async () => ({ url: gateway.url, token: 't' }), 'e7');
  const { socket, first } = await gateway.take();
  expect(first.last_event_id).toBe('e7');
  send(socket, { type: 'ready', last_event_id: 'e9' });
  send(socket, typing('e8'));
  await vi.waitFor(() => expect(told).toEqual(['resumed', 'e8']));
  expect(stream.last_event_id).toBe('e8');
});

test('resumes after the last event, drops repeats and says when events were lost', async () => {
  const gateway = await startGateway();
  let grants = 0;
  const { stream, told } = openStream(async () => ({ url: gateway.url, token: `t${(grants += 1)}` }));

  const one = await gateway.take();
  expect(one.first).toEqual({ type: 'resume', token: 't1' });
  send(one.socket, { type: 'ready', last_event_id: 'e0' });
  send(one.socket, typing('e1'));
  send(one.socket, typing('e2'));
  await vi.waitFor(() => expect(told).toEqual(['fresh', 'e1', 'e2']));
  one.socket.terminate();

  const two = await gateway.take();
  expect(two.first).toEqual({ type: 'resume', token: 't2', last_event_id: 'e2' });
  // "ready" names the newest event, but a disconnect before the missed events arrive must not skip them.
  send(two.socket, { type: 'ready', last_event_id: 'e9' });
  await vi.waitFor(() => expect(told.at(-1)).toBe('resumed'));
  expect(stream.last_event_id).toBe('e2');
  send(two.socket, typing('e2'));
  send(two.socket, typing('e3'));
  await vi.waitFor(() => expect(told.slice(3)).toEqual(['resumed', 'e3']));
  two.socket.terminate();

  const three = await gateway.take();
  expect(three.first.last_event_id).toBe('e3');
  send(three.socket, { type: 'reset', last_event_id: 'e50' });
  await vi.waitFor(() => expect(told.at(-1)).toBe('reset e50'));
  expect(stream.last_event_id).toBe('e50');
});

test('comes back when the grant cannot be had for a while', async () => {
  const gateway = await startGateway();
  let tries = 0;
  const { told } = openStream(async () => {
    tries += 1;
    if (tries < 3) throw new ApiError({ status: 503, code: 'unavailable', message: 'Away.' });
    return { url: gateway.url, token: 't' };
  });
  const { socket } = await gateway.take();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(told).toEqual(['fresh']));
  expect(tries).toBe(3);
});

test('comes back at once, and not after its pause, when the node says that it stops', async () => {
  const gateway = await startGateway();
  const stream = new RealtimeStream({
    createGrant: async () => ({ url: gateway.url, token: 't' }),
    backoff_ms: 60_000,
    max_backoff_ms: 60_000,
  });
  closers.push(() => stream.close());
  const { socket } = await gateway.take();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(stream.state).toBe('open'));
  socket.close(1012, 'moving');
  expect((await gateway.take()).first.last_event_id).toBe('e0');
});

test('stops for good when the account may not listen', async () => {
  const createGrant = vi.fn(() =>
    Promise.reject(new ApiError({ status: 403, code: 'mobile_unverified', message: 'Verify first.' })),
  );
  const { stream } = openStream(createGrant);
  await vi.waitFor(() => expect(stream.state).toBe('stopped'));
  expect(createGrant).toHaveBeenCalledTimes(1);
});

test('a garbled frame is passed over, and closing ends the connection', async () => {
  const gateway = await startGateway();
  const { stream, told } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const { socket } = await gateway.take();
  socket.send('{not json');
  socket.send('null');
  send(socket, { type: 'ready', last_event_id: null });
  send(socket, typing('e1'));
  await vi.waitFor(() => expect(told).toEqual(['fresh', 'e1']));
  const closed = once(socket, 'close');
  stream.close();
  await closed;
  expect(stream.state).toBe('stopped');
});

test('says what the user looks at, and says it again after a lost connection', async () => {
  const gateway = await startGateway();
  const { stream, told } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const hear = ({ socket }: Connection) => {
    const heard: unknown[] = [];
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
    return heard;
  };
  const [status, call] = [
    { type: 'status', id: 'post_1' },
    { type: 'call', id: 'conf_1' },
  ];

  const one = await gateway.take();
  const first = hear(one);
  stream.look(status);
  send(one.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(first).toEqual([{ type: 'focus', subject: status }]));
  stream.look(null);
  stream.look(call);
  await vi.waitFor(() => expect(first.slice(1)).toEqual([null, call].map((subject) => ({ type: 'focus', subject }))));
  one.socket.terminate();

  const two = await gateway.take();
  const second = hear(two);
  send(two.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(second).toEqual([{ type: 'focus', subject: call }]));
  expect(told).toEqual(['fresh', 'resumed']);
});

test('tries again when a socket cannot even be made', async () => {
  const gateway = await startGateway();
  let made = 0;
  class Forbidden extends WebSocket {
    constructor(url: string) {
      made += 1;
      // As on an https page whose service returns an address without TLS.
      if (made === 1) throw new DOMException('An insecure WebSocket may not be initiated.', 'SecurityError');
      super(url);
    }
  }
  const stream = new RealtimeStream({
    createGrant: async () => ({ url: gateway.url, token: 't' }),
    backoff_ms: 5,
    WebSocket: Forbidden as typeof WebSocket,
  });
  closers.push(() => stream.close());
  const { socket } = await gateway.take();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(stream.state).toBe('open'));
  expect(made).toBe(2);
});

test('a connection that is silent and does not answer is given up, and one that answers is kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  closers.push(() => vi.useRealTimers());
  const gateway = await startGateway();
  const { told } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const one = await gateway.take();
  const asked: string[] = [];
  one.socket.on('message', (data: Buffer) => asked.push(data.toString()));
  send(one.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(told).toEqual(['fresh']));
  vi.advanceTimersByTime(25_000);
  await vi.waitFor(() => expect(asked).toEqual(['{"type":"ping"}']));
  send(one.socket, { type: 'pong' });
  send(one.socket, typing('e1'));
  await vi.waitFor(() => expect(told.at(-1)).toBe('e1'));
  vi.advanceTimersByTime(24_000);
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => expect(asked.length).toBe(2));
  // Nothing is answered this time: after the timeout, and the pause before a retry, there is another connection.
  vi.advanceTimersByTime(10_000);
  vi.advanceTimersByTime(1_000);
  const two = await gateway.take();
  expect(two.first.last_event_id).toBe('e1');
});

test('what one listener throws reaches none of the others', async () => {
  const gateway = await startGateway();
  const { stream, told } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const thrown: unknown[] = [];
  const keep = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => thrown.push(error));
  closers.push(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of keep) process.on('uncaughtException', listener);
  });
  stream.on('chat.typing', () => {
    throw new Error('mine alone');
  });
  const later: string[] = [];
  stream.on('chat.typing', ({ id }) => later.push(id));
  const { socket } = await gateway.take();
  send(socket, { type: 'ready' });
  send(socket, typing('e1'));
  send(socket, typing('e2'));
  await vi.waitFor(() => expect(later).toEqual(['e1', 'e2']));
  expect(told).toEqual(['fresh', 'e1', 'e2']);
  await vi.waitFor(() => expect(thrown.length).toBe(2));
});
