import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket as ServerSocket } from 'ws';
import { ApiError } from './errors.ts';
import { RealtimeStream } from './realtime.ts';
import type { RealtimeEvent } from './realtime-events.ts';
import { slow } from '../testing/slow-tests.ts';

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
  const acceptors: ((connection: Connection) => void)[] = [];
  server.on('connection', (socket) => {
    socket.once('message', (data: Buffer) => {
      const connection = { socket, first: JSON.parse(data.toString()) as Connection['first'] };
      const acceptor = acceptors.shift();
      if (acceptor === undefined) waiting.push(connection);
      else acceptor(connection);
    });
  });
  closers.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accept: () =>
      new Promise<Connection>((resolve) => {
        const ready = waiting.shift();
        if (ready === undefined) acceptors.push(resolve);
        else resolve(ready);
      }),
  };
}

function openStream(
  createGrant: () => Promise<{ url: string; token: string }>,
  start_event_id?: string | (() => string | undefined),
) {
  const stream = new RealtimeStream({ createGrant, last_event_id: start_event_id, backoff_ms: 5, max_backoff_ms: 20 });
  closers.push(() => stream.close());
  const received: string[] = [];
  stream.on('chat.message', ({ id }: RealtimeEvent<'chat.message'>) => received.push(id));
  stream.onSignal('ready', ({ resumed }) => received.push(resumed ? 'resumed' : 'fresh'));
  stream.onSignal('reset', ({ last_event_id }) => received.push(`reset ${last_event_id ?? ''}`));
  return { stream, received };
}

const send = (socket: ServerSocket, frame: object) => socket.send(JSON.stringify(frame));
const message = (id: string) => ({ id, type: 'chat.message', at: '2026-01-01T00:00:00Z', data: {} });

test('starts after the given event, and signals that it has resumed', async () => {
  const gateway = await startGateway();
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: 't' }), 'e7');
  const { socket, first } = await gateway.accept();
  expect(first.last_event_id).toBe('e7');
  send(socket, { type: 'ready', last_event_id: 'e9' });
  send(socket, message('e8'));
  await vi.waitFor(() => expect(received).toEqual(['resumed', 'e8']));
  expect(stream.last_event_id).toBe('e8');
});

test('reads where it starts when it connects first, and not again', async () => {
  const gateway = await startGateway();
  let start: string | undefined;
  const reads: (string | undefined)[] = [];
  const readStart = () => {
    reads.push(start);
    return start;
  };
  openStream(async () => ({ url: gateway.url, token: 't' }), readStart);
  // Known only after the stream was created.
  start = 'e7';
  const { socket, first } = await gateway.accept();
  expect(first.last_event_id).toBe('e7');
  start = 'e8';
  socket.close();
  expect((await gateway.accept()).first.last_event_id).toBe('e7');
  expect(reads).toEqual(['e7']);
});

test('resumes after the last event, drops duplicates and signals a reset when events were lost', slow, async () => {
  const gateway = await startGateway();
  let grants = 0;
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: `t${(grants += 1)}` }));

  const connection_1 = await gateway.accept();
  expect(connection_1.first).toEqual({ type: 'resume', token: 't1' });
  send(connection_1.socket, { type: 'ready', last_event_id: 'e0' });
  send(connection_1.socket, message('e1'));
  send(connection_1.socket, message('e2'));
  await vi.waitFor(() => expect(received).toEqual(['fresh', 'e1', 'e2']));
  connection_1.socket.terminate();

  const connection_2 = await gateway.accept();
  expect(connection_2.first).toEqual({ type: 'resume', token: 't2', last_event_id: 'e2' });
  // "ready" names the newest event, but a disconnect before the missed events arrive must not skip them.
  send(connection_2.socket, { type: 'ready', last_event_id: 'e9' });
  await vi.waitFor(() => expect(received.at(-1)).toBe('resumed'));
  expect(stream.last_event_id).toBe('e2');
  send(connection_2.socket, message('e2'));
  send(connection_2.socket, message('e3'));
  await vi.waitFor(() => expect(received.slice(3)).toEqual(['resumed', 'e3']));
  connection_2.socket.terminate();

  const connection_3 = await gateway.accept();
  expect(connection_3.first.last_event_id).toBe('e3');
  send(connection_3.socket, { type: 'reset', last_event_id: 'e50' });
  await vi.waitFor(() => expect(received.at(-1)).toBe('reset e50'));
  expect(stream.last_event_id).toBe('e50');
});

test('reconnects when requests for a grant fail for a while', async () => {
  const gateway = await startGateway();
  let tries = 0;
  const { received } = openStream(async () => {
    tries += 1;
    if (tries < 3) throw new ApiError({ status: 503, code: 'unavailable', message: 'Away.' });
    return { url: gateway.url, token: 't' };
  });
  const { socket } = await gateway.accept();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(received).toEqual(['fresh']));
  expect(tries).toBe(3);
});

test('reconnects without backoff when the node closes the connection with 1012', async () => {
  const gateway = await startGateway();
  const stream = new RealtimeStream({
    createGrant: async () => ({ url: gateway.url, token: 't' }),
    backoff_ms: 60_000,
    max_backoff_ms: 60_000,
  });
  closers.push(() => stream.close());
  const { socket } = await gateway.accept();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(stream.state).toBe('open'));
  socket.close(1012, 'moving');
  expect((await gateway.accept()).first.last_event_id).toBe('e0');
});

test('stops permanently when the grant is refused with 403', async () => {
  const createGrant = vi.fn(() =>
    Promise.reject(new ApiError({ status: 403, code: 'mobile_unverified', message: 'Verify first.' })),
  );
  const { stream } = openStream(createGrant);
  await vi.waitFor(() => expect(stream.state).toBe('stopped'));
  expect(createGrant).toHaveBeenCalledTimes(1);
});

test('delivers every event that is not stored, without resuming from it', async () => {
  const gateway = await startGateway();
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: 't' }), 'e0');
  const transient: string[] = [];
  const types = [
    'chat.typing',
    'dm.typing',
    'call.caption',
    'call.muted',
    'call.reaction',
    'location.updated',
    'room.updated',
  ] as const;
  for (const type of types) stream.on(type, (event) => transient.push(event.type));
  const { socket } = await gateway.accept();
  send(socket, { type: 'ready', last_event_id: 'e1' });
  send(socket, message('e1'));
  // They carry the identifier of the newest event of the service, which this client may have received or not.
  for (const type of types) for (const id of ['e1', 'e1', 'e2']) send(socket, { ...message(id), type });
  await vi.waitFor(() => expect(transient).toEqual(types.flatMap((type) => [type, type, type])));
  expect(stream.last_event_id).toBe('e1');
  send(socket, message('e2'));
  await vi.waitFor(() => expect(received).toEqual(['resumed', 'e1', 'e2']));
});

test('ignores invalid frames, and closes the connection on close()', async () => {
  const gateway = await startGateway();
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const { socket } = await gateway.accept();
  socket.send('{not json');
  socket.send('null');
  send(socket, { type: 'ready', last_event_id: null });
  send(socket, message('e1'));
  await vi.waitFor(() => expect(received).toEqual(['fresh', 'e1']));
  const closed = once(socket, 'close');
  stream.close();
  await closed;
  expect(stream.state).toBe('stopped');
});

test('sends the focus, and sends it again after a reconnect', async () => {
  const gateway = await startGateway();
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const collectFrames = ({ socket }: Connection) => {
    const frames: unknown[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    return frames;
  };
  const [status, call] = [
    { type: 'status', id: 'post_1' },
    { type: 'call', id: 'conf_1' },
  ];

  const connection_1 = await gateway.accept();
  const first = collectFrames(connection_1);
  stream.setFocus(status);
  send(connection_1.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(first).toEqual([{ type: 'focus', subject: status }]));
  stream.setFocus(null);
  stream.setFocus(call);
  await vi.waitFor(() => expect(first.slice(1)).toEqual([null, call].map((subject) => ({ type: 'focus', subject }))));
  connection_1.socket.terminate();

  const connection_2 = await gateway.accept();
  const second = collectFrames(connection_2);
  send(connection_2.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(second).toEqual([{ type: 'focus', subject: call }]));
  expect(received).toEqual(['fresh', 'resumed']);
});

test('retries when the WebSocket constructor throws', async () => {
  const gateway = await startGateway();
  let constructed = 0;
  class Forbidden extends WebSocket {
    constructor(url: string) {
      constructed += 1;
      // As on an https page whose service returns an address without TLS.
      if (constructed === 1) throw new DOMException('An insecure WebSocket may not be initiated.', 'SecurityError');
      super(url);
    }
  }
  const stream = new RealtimeStream({
    createGrant: async () => ({ url: gateway.url, token: 't' }),
    backoff_ms: 5,
    WebSocket: Forbidden as typeof WebSocket,
  });
  closers.push(() => stream.close());
  const { socket } = await gateway.accept();
  send(socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(stream.state).toBe('open'));
  expect(constructed).toBe(2);
});

test('replaces a connection that does not answer a ping, and keeps one that does', slow, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  closers.push(() => vi.useRealTimers());
  const gateway = await startGateway();
  const { received } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const connection_1 = await gateway.accept();
  const pings: string[] = [];
  connection_1.socket.on('message', (data: Buffer) => pings.push(data.toString()));
  send(connection_1.socket, { type: 'ready', last_event_id: 'e0' });
  await vi.waitFor(() => expect(received).toEqual(['fresh']));
  vi.advanceTimersByTime(25_000);
  await vi.waitFor(() => expect(pings).toEqual(['{"type":"ping"}']));
  send(connection_1.socket, { type: 'pong' });
  send(connection_1.socket, message('e1'));
  await vi.waitFor(() => expect(received.at(-1)).toBe('e1'));
  vi.advanceTimersByTime(24_000);
  expect(pings.length).toBe(1);
  vi.advanceTimersByTime(1_000);
  await vi.waitFor(() => expect(pings.length).toBe(2));
  // Nothing is answered this time: after the timeout, and the pause before a retry, there is another connection.
  vi.advanceTimersByTime(10_000);
  vi.advanceTimersByTime(1_000);
  const connection_2 = await gateway.accept();
  expect(connection_2.first.last_event_id).toBe('e1');
});

test('calls the other listeners when one listener throws', async () => {
  const gateway = await startGateway();
  const { stream, received } = openStream(async () => ({ url: gateway.url, token: 't' }));
  const thrown: unknown[] = [];
  const original_listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => thrown.push(error));
  closers.push(() => {
    process.removeAllListeners('uncaughtException');
    for (const listener of original_listeners) process.on('uncaughtException', listener);
  });
  stream.on('chat.message', () => {
    throw new Error('mine alone');
  });
  const others: string[] = [];
  stream.on('chat.message', ({ id }) => others.push(id));
  const { socket } = await gateway.accept();
  send(socket, { type: 'ready' });
  send(socket, message('e1'));
  send(socket, message('e2'));
  await vi.waitFor(() => expect(others).toEqual(['e1', 'e2']));
  expect(received).toEqual(['fresh', 'e1', 'e2']);
  await vi.waitFor(() => expect(thrown.length).toBe(2));
});
