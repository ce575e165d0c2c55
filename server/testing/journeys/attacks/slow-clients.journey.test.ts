/** Slow and silent clients over real sockets, with shortened limits: each is disconnected, and can reconnect. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { register, type Persona } from '../../world/personas.ts';
import { poll } from '../../running/running-service.ts';
import { createWorld, openNode, type World } from '../../world/world.ts';

const limits = {
  headers_timeout_ms: 300,
  request_timeout_ms: 600,
  late_check_ms: 50,
  realtime_hello_ms: 300,
  realtime_stall_ms: 400,
  realtime_backlog_bytes: 256 * 1024,
  realtime_replay: 20_000,
};
/** Only for half-open sockets: a websocket that does not read sends no pongs either, and is to reach its backlog limit. */
const ping_ms = 400;
const environment = { THROTTLE_FACTOR: '1000' };
/** What a busy machine may add. */
const slack_ms = 2000;
/** More than the kernel's buffers and the backlog hold together. */
const flood_events = 6000;
const event_text = 'x'.repeat(4000);

describe('slow clients', () => {
  let world: World;
  let ada: Persona;
  let port = 0;
  const open: { destroy(): unknown }[] = [];
  beforeAll(async () => {
    world = await createWorld({ limits, environment });
    ada = await register(world, 'ada', 72);
    port = await world.app.listen();
  });
  afterAll(async () => {
    for (const item of open) item.destroy();
    await world.close();
  });

  const countConnections = (node = world) => node.app.services.realtime.connections();
  const allClosed = () => poll(async () => countConnections() === 0, 'the end of all connections');

  async function openTcp(at = port): Promise<Socket & { text: string }> {
    const socket = Object.assign(connect(at, '127.0.0.1'), { text: '' });
    open.push(socket);
    socket.on('data', (chunk: Buffer) => (socket.text += chunk.toString('latin1'))).on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Writes the beginning, then one byte every 20 ms until the connection closes. Resolves to the time until then. */
  async function trickle(beginning: string): Promise<{ text: string; lived_ms: number }> {
    const socket = await openTcp();
    const started_ms = performance.now();
    socket.write(beginning);
    const interval = setInterval(() => socket.write('a'), 20);
    await once(socket, 'close');
    clearInterval(interval);
    return { text: socket.text, lived_ms: performance.now() - started_ms };
  }

  async function grant(node = world): Promise<string> {
    const { status, body } = await node.call('POST /realtime/grant', { token: ada.token, body: {} });
    expect(status).toBe(200);
    return body.token;
  }

  const urlOfSocket = (at = port) => `ws://127.0.0.1:${at}/v1/realtime/socket`;
  const hello = (token: string, last_event_id?: string) => JSON.stringify({ type: 'resume', token, last_event_id });

  async function openReader(
    last_event_id?: string,
    node = world,
    at = port,
  ): Promise<{ socket: WebSocket; ids: string[] }> {
    const socket = new WebSocket(urlOfSocket(at), { perMessageDeflate: false });
    open.push({ destroy: () => socket.terminate() });
    socket.on('error', () => undefined);
    const ids: string[] = [];
    socket.on('message', (data: Buffer) => ids.push(/"id":"([^"]+)"/.exec(data.toString())?.[1] ?? 'ready'));
    await once(socket, 'open');
    socket.send(hello(await grant(node), last_event_id));
    await once(socket, 'message');
    expect(ids.shift()).toBe('ready');
    return { socket, ids };
  }

  /** A websocket by hand, which sends no replies by itself (RFC 6455, section 4.1). */
  async function openUnresponsive(at = port): Promise<Socket & { text: string }> {
    const socket = await openTcp(at);
    const key = Buffer.alloc(16, 1).toString('base64');
    socket.write(
      `GET /v1/realtime/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    await once(socket, 'data');
    expect(socket.text).toMatch(/^HTTP\/1\.1 101 /);
    return socket;
  }

  /** A client's text frame, with a mask of zeros. */
  function frame(text: string): Buffer {
    const payload = Buffer.from(text);
    return Buffer.concat([Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]), payload]);
  }

  /** Inserts events for ada, as many changes would. Resolves once this node has read them all. */
  async function flood(count: number): Promise<void> {
    await world.app.services.db.native.query(
      `insert into events (topic, type, data, at) select $1::text, 'test.flood', $2::jsonb, now() from generate_series(1, $3::int)`,
      [`user:${ada.id}`, JSON.stringify({ text: event_text }), count],
    );
    world.app.services.wake();
    const last = (await idsOfAll()).at(-1);
    await poll(async () => world.app.services.realtime.headId() === last, 'the reading of the outbox');
  }

  async function idsOfAll(): Promise<string[]> {
    const { rows } = await world.app.services.db.native.query<{ id: string }>(
      `select s.epoch || '.' || e.xid || '.' || e.position as id from events e, service s
       where e.topic = $1 order by e.xid, e.position`,
      [`user:${ada.id}`],
    );
    return rows.map(({ id }) => id);
  }

  const parseBody = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

  it('headers that arrive byte by byte are rejected with 400', async () => {
    const { text, lived_ms } = await trickle('GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(parseBody(text).error).toEqual({ code: 'bad_request', message: 'The request took too long to arrive.' });
    expect(lived_ms).toBeGreaterThan(limits.headers_timeout_ms - 20);
    expect(lived_ms).toBeLessThan(limits.headers_timeout_ms + slack_ms);
  });

  it('an unused connection is closed without a reply', async () => {
    const socket = await openTcp();
    await once(socket, 'close');
    expect(socket.text).toBe('');
  });

  it('a body that arrives byte by byte is rejected with 400', async () => {
    const { text, lived_ms } = await trickle(
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(lived_ms).toBeGreaterThan(limits.request_timeout_ms - 20);
    expect(lived_ms).toBeLessThan(limits.request_timeout_ms + slack_ms);
  });

  it('a socket that sends no hello is closed with 4002, and disconnected when it does not reply to that', async () => {
    const responsive = new WebSocket(urlOfSocket());
    const [code] = (await once(responsive, 'close')) as [number];
    expect(code).toBe(4002);
    const started_ms = performance.now();
    const unresponsive = await openUnresponsive();
    await once(unresponsive, 'close');
    expect(performance.now() - started_ms).toBeLessThan(2 * limits.realtime_hello_ms + slack_ms);
    // The close frame with its code had been sent: 0x88, two bytes of code.
    expect(unresponsive.text).toContain('\x88\x02\x0f\xa2');
  });

  it('a half-open socket is detected by missing pongs, and a responsive one remains', async () => {
    const node = await openNode(world, { limits: { ...limits, realtime_ping_ms: ping_ms }, environment });
    const node_port = await node.app.listen();
    const { socket } = await openReader(undefined, node, node_port);
    const unresponsive = await openUnresponsive(node_port);
    unresponsive.write(frame(hello(await grant(node))));
    await poll(async () => countConnections(node) === 2, 'both connections');
    await once(unresponsive, 'close');
    await poll(async () => countConnections(node) === 1, 'the end of one connection');
    let pings = 0;
    socket.on('ping', () => (pings += 1));
    await poll(async () => pings >= 3, 'pings');
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.close();
    await poll(async () => countConnections(node) === 0, 'the end of the other');
    await node.close();
  });

  it('a websocket that does not read is disconnected at its backlog limit, and resumes when it reconnects', async () => {
    const known_count = (await idsOfAll()).length;
    const first = await openReader();
    first.socket.pause();
    await flood(flood_events);
    await allClosed();
    first.socket.resume();
    await once(first.socket, 'close');
    expect(first.ids.length).toBeGreaterThan(0);
    expect(first.ids.length).toBeLessThan(flood_events);
    // More than the backlog permits follows at once: a client that reads must not be disconnected again.
    const second = await openReader(first.ids.at(-1));
    await poll(async () => first.ids.length + second.ids.length >= flood_events, 'the rest');
    expect([...first.ids, ...second.ids]).toEqual((await idsOfAll()).slice(known_count));
    expect(second.socket.readyState).toBe(WebSocket.OPEN);
    second.socket.close();
    await allClosed();
  });

  async function openStream(last_event_id?: string): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${ada.token}`,
      ...(last_event_id ? { 'last-event-id': last_event_id } : {}),
    };
    const request = get({ port, host: '127.0.0.1', path: '/v1/realtime/stream', headers });
    open.push(request);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return response.on('error', () => undefined);
  }

  /** Reads until the end, or until so many events have arrived. */
  async function readStream(response: IncomingMessage, count: number): Promise<string[]> {
    const ids: string[] = [];
    let rest = '';
    try {
      for await (const chunk of response) {
        const parts = (rest + String(chunk)).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) if (part.startsWith('id: ')) ids.push(part.slice(4, part.indexOf('\n')));
        if (ids.length >= count) break;
      }
    } catch {
      // Disconnected: earlier events are valid.
    }
    return ids;
  }

  it('a server-sent stream that is not read is disconnected at its backlog limit, and resumes when it reconnects', async () => {
    const known_count = (await idsOfAll()).length;
    const stalled = await openStream();
    await poll(async () => countConnections() === 1, 'the connection');
    await flood(flood_events);
    await allClosed();
    const first = await readStream(stalled, flood_events);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(flood_events);
    const second = await readStream(await openStream(first.at(-1)), flood_events - first.length);
    expect([...first, ...second]).toEqual((await idsOfAll()).slice(known_count));
    await allClosed();
  });

  it('a client that resumes with many events and does not read them is disconnected too', async () => {
    await flood(1);
    const from = (await idsOfAll()).at(-1);
    await flood(flood_events);
    const unresponsive = await openUnresponsive();
    unresponsive.pause();
    unresponsive.write(frame(hello(await grant(), from)));
    await poll(async () => countConnections() === 1, 'the connection');
    await allClosed();
    const stalled = await openStream(from);
    await allClosed();
    stalled.destroy();
  });
});
