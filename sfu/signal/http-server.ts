import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { REFUSALS, refuseValidation, type Admit, type Refusal } from './admission.ts';
import { SignalAdmission } from './connection-limits.ts';
import { readBearer, readTarget, requireJoinGrants } from './connect.ts';
import type { RoomHost } from './room-host.ts';
import { LIMITS } from '../limits.ts';
import { TwirpError } from './room-service.ts';
import { closeSignalServer, CORS, createSignalServer, refuseUpgrade, type SignalTimes } from './signal-server.ts';
import { TokenError, type Grants } from '../token.ts';

/** What requests are answered with. */
export type HttpOptions = {
  host: RoomHost;
  api_key: string;
  api_secret: string;
  /** Whether joining creates a room; otherwise only the room service does, and tokens with the permission. */
  auto_create: boolean;
  /** Checked for every token that has an id, at each use; tokens without one are the operator's own. */
  admit?: Admit | undefined;
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
  /** Whether connections come from a proxy, which puts the client's address into `X-Forwarded-For`. */
  trust_proxy?: boolean;
  /** Time limits other than the default ones. */
  times?: SignalTimes;
};

const ROOM_SERVICE = '/twirp/livekit.RoomService/';

function reply(response: ServerResponse, status: number, text: string, content_type = 'text/plain'): void {
  response.writeHead(status, { ...CORS, 'content-type': content_type });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LIMITS.request_body_bytes) throw new TwirpError('invalid_argument', 'the request body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function answerRoomService(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  options: HttpOptions,
) {
  try {
    if (request.method !== 'POST') throw new TwirpError('bad_route', 'only POST is allowed');
    const body = await readBody(request);
    const bearer = readBearer(request);
    const content_type = request.headers['content-type'] ?? '';
    const result = await options.host.call({ method: path.slice(ROOM_SERVICE.length), content_type, bearer, body });
    response.writeHead(200, { ...CORS, 'content-type': result.content_type });
    response.end(result.body);
  } catch (error) {
    const known = error instanceof TwirpError ? error : new TwirpError('internal', 'internal error');
    if (known !== error) options.log('error', 'room service failed', { error: String(error) });
    reply(response, known.status, JSON.stringify({ code: known.code, msg: known.message }), 'application/json');
  }
}

/** The grants of a request that may join its room now, or the refusal. */
async function findGrants(
  request: IncomingMessage,
  options: HttpOptions,
  admission: SignalAdmission,
): Promise<Grants | Refusal> {
  let grants: Grants;
  try {
    grants = requireJoinGrants(request, options);
  } catch (error) {
    const text = error instanceof TokenError ? error.message : 'token is malformed';
    return { status: 401, reason: 'Unauthorized', text };
  }
  if (!admission.mayAsk(admission.networkOf(request), grants.identity)) return REFUSALS.too_many;
  if (options.admit && grants.token_id !== '') {
    const admitted = await options.admit(readBearer(request));
    if (admitted !== 'admitted') return REFUSALS[admitted];
  }
  // After the check, since the service creates the room of an admitted client.
  if (!options.auto_create && !grants.room_create && !options.host.hasRoom(grants.room))
    return { status: 404, reason: 'Not Found', text: 'requested room does not exist' };
  return grants;
}

async function answerValidation(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  admission: SignalAdmission,
) {
  const found = await findGrants(request, options, admission);
  if (!('status' in found)) return reply(response, 200, 'success');
  const { status, text } = refuseValidation(found);
  reply(response, status, text);
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  admission: SignalAdmission,
): void {
  const path = readTarget(request).pathname;
  if (request.method === 'OPTIONS') return reply(response, 204, '');
  if (path.startsWith(ROOM_SERVICE)) return void answerRoomService(request, response, path, options);
  if (path === '/') return reply(response, 200, 'OK');
  if (path === '/rtc/validate') {
    return void answerValidation(request, response, options, admission);
  }
  // Clients try /rtc/v1 first; without the CORS header of this 404 a browser never falls back to /rtc.
  reply(response, 404, 'not found');
}

/** The server, which the caller makes listen; `close` also ends its sockets. */
export type HttpServer = { server: Server; close(): Promise<void> };

/** Creates the server for health, token validation, signal sockets and the room service; the caller makes it listen. */
export function createHttpServer(options: HttpOptions): HttpServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.signal_frame_bytes,
    perMessageDeflate: false,
  });
  const { trust_proxy = false, log, times } = options;
  const admission = new SignalAdmission(trust_proxy);
  const server = createSignalServer({
    trust_proxy,
    log,
    times,
    answer: (request, response) => answer(request, response, options, admission),
    upgrade(request, socket, head) {
      if (readTarget(request).pathname !== '/rtc') return refuseUpgrade(socket, '404 Not Found', 'not found');
      void takeUpgrade(request, socket, head);
    },
  });

  async function takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refuse = ({ status, reason, text }: Refusal) => refuseUpgrade(socket, `${status} ${reason}`, text);
    const grants = await findGrants(request, options, admission);
    if ('status' in grants) return refuse(grants);
    // The client may have given up during the check.
    if (socket.destroyed) return;
    const network = admission.networkOf(request);
    if (!admission.hasPlace(network)) return refuse(REFUSALS.too_many);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      admission.record(opened, network, grants.identity);
      options.host.serve(opened, readTarget(request).searchParams, grants).catch((error: unknown) => {
        options.log('error', 'join failed', { room: grants.room, identity: grants.identity, error: String(error) });
        opened.terminate();
      });
    });
  }

  return { server, close: () => closeSignalServer(server, sockets, 1001) };
}
