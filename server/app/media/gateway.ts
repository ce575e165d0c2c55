/** The realtime gateway: connects websockets to the realtime hub. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';
import type { PhoneSocket } from '../../engines/ports.ts';
import { ApiError } from '../../kernel/errors.ts';
import { isHolder, redeemGrant } from '../../kernel/security/grant.ts';
import type { Frame, Connection } from '../../kernel/realtime/receivers.ts';
import type { Services } from '../../kernel/services.ts';
import { acceptHost } from '../../kernel/http/http-host.ts';
import { createTokenBucket, type TokenBucket } from '../../kernel/load/token-bucket.ts';
import { createFocus, type Focus } from '../focus.ts';

const socket_path = '/v1/realtime/socket';
/** The path of a carrier's audio websockets. */
const phone_path = '/v1/telephony/stream';

/** Close codes: RFC 6455, section 7.4; from 4000 on they are ours. */
const close_codes = {
  revoked: 4001,
  hello: 4002,
  refused: 4003,
  slow: 4008,
  flooding: 4028,
  crowded: 4029,
  draining: 1012,
} as const;

/** Accepts websocket upgrades of realtime connections and of a carrier's phone audio; any others are closed. */
export function attachGateway(server: Server, services: Services): { close(): void } {
  const { limits } = services;
  // The types of `ws` do not have the last option yet: how long it waits for a close frame.
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: limits.realtime_frame_bytes,
    perMessageDeflate: false,
    closeTimeout: limits.realtime_hello_ms,
  };
  const sockets = new WebSocketServer(options);
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node no longer handles its errors: one of a client that has gone would end the process.
    socket.on('error', () => socket.destroy());
    if (!acceptHost(request)) return refuseUpgrade(socket, '400 Bad Request');
    const path = request.url?.split('?', 1)[0];
    const { acceptAudio } = services.telephony;
    if (path === phone_path && acceptAudio)
      return sockets.handleUpgrade(request, socket, head, (client) => {
        const { phone_frames_per_second, phone_frames_burst, drain_close_ms } = limits;
        boundFrames(client, createTokenBucket(phone_frames_per_second, phone_frames_burst), drain_close_ms);
        acceptAudio(openPhoneSocket(client, socket, services));
      });
    if (path !== socket_path) return refuseUpgrade(socket, '404 Not Found');
    sockets.handleUpgrade(request, socket, head, (client) => welcome(client, socket, services));
  });
  const pings = setInterval(() => {
    for (const client of sockets.clients) checkAlive(client as Alive);
  }, limits.realtime_ping_ms);
  return {
    close() {
      clearInterval(pings);
      for (const client of sockets.clients) client.close(close_codes.draining, 'moving');
      sockets.close();
      // A client that does not answer must not delay closing the others.
      setTimeout(() => sockets.clients.forEach((client) => client.terminate()), limits.drain_close_ms).unref();
    },
  };
}

/** Answers an upgrade, and closes the connection, which no time limit of HTTP applies to any longer. */
function refuseUpgrade(socket: Socket, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** If a phone does not read its audio fast enough, some is dropped: late audio is useless. */
const phone_backlog_bytes = 32 * 1024;

function openPhoneSocket(client: Alive, socket: Socket, { log }: Services): PhoneSocket {
  client.on('error', () => client.terminate());
  client.on('pong', () => {
    client.answered = true;
  });
  return {
    send(text) {
      if (client.readyState === WebSocket.OPEN && socket.writableLength < phone_backlog_bytes) client.send(text);
    },
    close: () => client.close(),
    onText(receive) {
      client.on('message', (data: Buffer) => {
        try {
          receive(data.toString());
        } catch (error) {
          // An error that is thrown to the socket would end the process.
          log.warn({ err: error }, 'a phone connection failed');
          client.terminate();
        }
      });
    },
    onClose: (act) => void client.once('close', act),
  };
}

type Alive = WebSocket & { answered?: boolean; focus?: Focus };

/** Browsers cannot see the pings of RFC 6455, so that clients send an application-level ping. */
const ping_frame = '{"type":"ping"}';
const pong_frame = '{"type":"pong"}';

/** A socket that did not answer the last ping is half open: it is terminated, and its client resumes. */
function checkAlive(client: Alive): void {
  if (client.answered === false) {
    client.terminate();
    return;
  }
  client.answered = false;
  client.focus?.renew();
  client.ping();
}

/** Closes a client that exceeds its frame rate: nothing more is read from it. */
function boundFrames(client: Alive, bucket: TokenBucket, close_ms: number): void {
  const count = () => {
    if (client.readyState !== WebSocket.OPEN || bucket.consume(performance.now())) return;
    client.close(close_codes.flooding, 'too many frames');
    client.pause();
    setTimeout(() => client.terminate(), close_ms).unref();
  };
  client.prependListener('message', count);
  client.on('ping', count);
  client.on('pong', count);
}

function welcome(client: Alive, socket: Socket, services: Services): void {
  const { realtime_frames_per_second, realtime_frames_burst, drain_close_ms } = services.limits;
  boundFrames(client, createTokenBucket(realtime_frames_per_second, realtime_frames_burst), drain_close_ms);
  const hello = setTimeout(() => client.close(close_codes.hello), services.limits.realtime_hello_ms);
  client.on('error', () => client.terminate());
  client.on('pong', () => {
    client.answered = true;
  });
  client.once('close', () => clearTimeout(hello));
  client.once('message', (data: Buffer) => {
    clearTimeout(hello);
    connect(client, socket, services, data.toString()).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'rate_limited') {
        client.close(close_codes.crowded, error.message);
        return;
      }
      if (error instanceof ApiError && error.code === 'token_invalid') {
        client.close(close_codes.revoked);
        return;
      }
      services.log.warn({ err: error }, 'a realtime connection failed');
      client.close(1011);
    });
  });
}

async function connect(client: Alive, socket: Socket, services: Services, text: string): Promise<void> {
  const first = parseResume(text);
  const consumeStream = async (owner_id: string) => void (await services.throttle.consume('stream', owner_id));
  const granted = first && (await redeemGrant(services, first.token, consumeStream));
  if (!granted) {
    client.close(close_codes.refused, 'the first frame must resume with a fresh token');
    return;
  }
  const connection: Connection = {
    ...granted,
    channel: socket,
    isValid: () => isHolder(services, granted),
    send: (frame) => write(client, socket, services.limits.realtime_backlog_bytes, frame),
    close: (reason) => client.close(close_codes[reason]),
  };
  const leave = await services.realtime.join(connection, first.last_event_id, (ready) =>
    client.send(JSON.stringify(ready)),
  );
  const focus = createFocus(services.bus, granted.user_id, randomUUID(), (error) =>
    services.log.warn({ err: error }, 'failed to store the focus of a user'),
  );
  client.focus = focus;
  const until = endAt(granted.until, services, () => connection.close('revoked'));
  client.on('message', (data: Buffer) => {
    if (client.readyState !== WebSocket.OPEN) return;
    const frame = data.toString();
    if (frame === ping_frame) client.send(pong_frame);
    else focus.receive(frame);
  });
  const end = () => {
    leave();
    focus.close();
    clearTimeout(until);
  };
  client.once('close', end);
  if (client.readyState !== WebSocket.OPEN) end();
}

/** Ends a connection with its token, where that is a guest's and cannot be refreshed. */
function endAt(until: Date | undefined, { clock }: Services, end: () => void): NodeJS.Timeout | undefined {
  return until && setTimeout(end, Math.max(0, until.getTime() - clock.now().getTime())).unref();
}

function parseResume(text: string): { token: string; last_event_id: string | undefined } | undefined {
  try {
    const { type, token, last_event_id } = JSON.parse(text) as Record<string, unknown>;
    if (type !== 'resume' || typeof token !== 'string') return undefined;
    if (last_event_id === undefined || last_event_id === null) return { token, last_event_id: undefined };
    // An unreadable position is answered with `reset`, like one that is too old.
    return { token, last_event_id: typeof last_event_id === 'string' ? last_event_id : '' };
  } catch {
    return undefined;
  }
}

/**
 * Writes the same bytes to every socket: a frame of RFC 6455 is encoded once, since nothing in it depends on the
 * receiver when the server neither masks nor compresses. A client that does not keep up is disconnected and can resume.
 */
function write(client: WebSocket, socket: Socket, backlog_bytes: number, frame: Frame): void {
  if (client.readyState !== WebSocket.OPEN) return;
  if (socket.writableLength > backlog_bytes) {
    client.terminate();
    return;
  }
  let bytes = frame.shared.get('websocket');
  if (!bytes) {
    bytes = encodeText(frame.text);
    frame.shared.set('websocket', bytes);
  }
  joinWrites(socket);
  socket.write(bytes);
}

/** Sockets whose frames are collected until the end of this turn. */
let corked: Socket[] = [];
/** Above this size collected frames are sent at once, so that a receiver which keeps up has no backlog. */
const max_joined_bytes = 64 * 1024;

/** The frames that one turn writes to a socket share a system call, which costs more than a small frame. */
function joinWrites(socket: Socket): void {
  if (socket.writableCorked > 0) {
    if (socket.writableLength < max_joined_bytes) return;
    socket.uncork();
    socket.cork();
    return;
  }
  socket.cork();
  corked.push(socket);
  if (corked.length === 1) process.nextTick(sendJoined);
}

function sendJoined(): void {
  const sockets = corked;
  corked = [];
  for (const socket of sockets) socket.uncork();
}

/** A final, unmasked text frame (RFC 6455, section 5.2). */
function encodeText(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = payload.length;
  let header: Buffer;
  if (length < 126) header = Buffer.from([0x81, length]);
  else if (length < 65_536) header = Buffer.from([0x81, 126, length >> 8, length & 255]);
  else {
    header = Buffer.alloc(10);
    header.writeUInt16BE(0x817f);
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, payload]);
}
