/**
 * The signal gateway in front of a LiveKit server. LiveKit accepts any token until it expires, and renews tokens by
 * itself, so that somebody who was removed could return. Clients therefore get tokens signed with another secret, which
 * LiveKit rejects; they connect to this gateway, which asks the service at each join and then joins LiveKit with a
 * token of its own. Media flow directly between client and LiveKit.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createAdmission, REFUSALS, refuseValidation, type Admit, type Refusal } from '../admission.ts';
import { SignalAdmission } from '../connection-limits.ts';
import { readBearer, readTarget, requireJoinGrants } from '../connect.ts';
import { CORS, refuseUpgrade } from '../http-server.ts';
import { LIMITS } from '../../limits.ts';
import { renewToken, TokenError, type Grants } from '../../token.ts';
import { bridge } from './bridge.ts';

/** Where the gateway listens, and the LiveKit server behind it. */
export type GatewayOptions = {
  host: string;
  /** The TCP port; 0 takes any free one. */
  port: number;
  /** The LiveKit server, `http:` or `https:`, and its API key. */
  livekit_url: string;
  api_key: string;
  api_secret: string;
  /** The secret of client tokens: other than LiveKit's. */
  client_secret: string;
  /** The admission endpoint of the service (`admission.ts`). */
  admission_url: string;
  /** Whether connections come from a proxy, which puts the client's address into `X-Forwarded-For`. */
  trust_proxy?: boolean;
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
};

/** A gateway that listens; closing it disconnects its clients. */
export type Gateway = { port: number; close(): Promise<void> };

/** What decides on a join, or on a validation. */
type Gate = { admit: Admit; rates: SignalAdmission };

const busy: Refusal = { status: 503, reason: 'Service Unavailable', text: 'too many connections' };
const signal_paths = new Set(['/rtc', '/rtc/v1']);
const validation_paths = new Set(['/rtc/validate', '/rtc/v1/validate']);

/** Starts the gateway. @throws the listen error of node:net, for example when the port is in use */
export async function startSignalGateway(options: GatewayOptions): Promise<Gateway> {
  const { api_key, api_secret, log } = options;
  const onError = (error: unknown) => log('warn', 'the service cannot be asked who may join', { error: String(error) });
  const admit = createAdmission({ url: options.admission_url, api_key, api_secret, onError });
  const gate: Gate = { admit, rates: new SignalAdmission(options.trust_proxy ?? false) };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.signal_frame_bytes,
    perMessageDeflate: false,
  });
  const server = createServer((request, response) => void answer(request, response, options, gate));
  server.on('connection', (socket) => socket.setNoDelay(true));
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refuse = ({ status, reason, text }: Refusal) => refuseUpgrade(socket, `${status} ${reason}`, text);
    if (!signal_paths.has(readTarget(request).pathname))
      return refuse({ status: 404, reason: 'Not Found', text: 'not found' });
    if (sockets.clients.size >= LIMITS.gateway_sockets) return refuse(busy);
    void connect(request, refuse, (grants, upstream) => {
      if (socket.destroyed) return upstream.terminate();
      sockets.handleUpgrade(request, socket, head, (client) => {
        const renew = () => renewToken(grants, api_key, options.client_secret, LIMITS.renewed_token_s);
        const token = readBearer(request);
        bridge(client, upstream, { renew, isAdmitted: async () => (await admit(token)) !== 'refused' });
      });
    });
  });

  /** Joins LiveKit for an admitted client; delivers the socket before its first frame. */
  async function connect(
    request: IncomingMessage,
    refuse: (refusal: Refusal) => void,
    onOpen: (grants: Grants, upstream: WebSocket) => void,
  ): Promise<void> {
    const grants = await findGrants(request, options, gate);
    if ('status' in grants) return refuse(grants);
    const upstream = openUpstream(request, grants, options);
    upstream.once('open', () => onOpen(grants, upstream));
    upstream.once('unexpected-response', (_request, { statusCode = 502, statusMessage = '' }: IncomingMessage) => {
      refuse({ status: statusCode, reason: statusMessage, text: 'the media server refuses' });
      upstream.terminate();
    });
    upstream.once('error', (error) => {
      if (request.socket.writable) refuse({ ...busy, text: 'the media server cannot be reached' });
      log('warn', 'a join did not reach LiveKit', { room: grants.room, error: String(error) });
    });
  }

  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async close() {
      // Clients resume elsewhere, or here after the restart; LiveKit keeps their media meanwhile.
      for (const socket of sockets.clients) socket.close(1012);
      const cut = setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), 500);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      clearTimeout(cut);
    },
  };
}

/** The grants of a request that may join its room now, or the refusal. */
async function findGrants(
  request: IncomingMessage,
  { api_key, client_secret }: GatewayOptions,
  { admit, rates }: Gate,
): Promise<Grants | Refusal> {
  let grants: Grants;
  try {
    grants = requireJoinGrants(request, { api_key, api_secret: client_secret });
  } catch (error) {
    const text = error instanceof TokenError ? error.message : 'token is malformed';
    return { status: 401, reason: 'Unauthorized', text };
  }
  if (!rates.mayAsk(rates.addressOf(request), grants.identity)) return REFUSALS.too_many;
  const admission = await admit(readBearer(request));
  return admission === 'admitted' ? grants : REFUSALS[admission];
}

/** The client's request to LiveKit, with another token. */
function openUpstream(request: IncomingMessage, grants: Grants, options: GatewayOptions): WebSocket {
  const { pathname, searchParams } = readTarget(request);
  const address = new URL(options.livekit_url.replace(/^http/, 'ws'));
  address.pathname = `${address.pathname.replace(/\/$/, '')}${pathname}`;
  for (const [name, value] of searchParams) address.searchParams.append(name, value);
  const token = renewToken(grants, options.api_key, options.api_secret, LIMITS.gateway_token_s);
  address.searchParams.set('access_token', token);
  return new WebSocket(address, {
    handshakeTimeout: LIMITS.gateway_join_ms,
    maxPayload: LIMITS.gateway_frame_bytes,
    perMessageDeflate: false,
    headers: forwardedFor(request),
  });
}

/** LiveKit reports client addresses to its operators. */
function forwardedFor({ headers, socket }: IncomingMessage): Record<string, string> {
  const before = headers['x-forwarded-for'];
  return { 'x-forwarded-for': [before, socket.remoteAddress].flat().filter(Boolean).join(', ') };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: GatewayOptions,
  gate: Gate,
): Promise<void> {
  const reply = (status: number, text: string) => {
    response.writeHead(status, { ...CORS, 'content-type': 'text/plain' });
    response.end(text);
  };
  const path = readTarget(request).pathname;
  if (request.method === 'OPTIONS') return reply(204, '');
  if (path === '/') return reply(200, 'OK');
  if (!validation_paths.has(path)) return reply(404, 'not found');
  const found = await findGrants(request, options, gate);
  if (!('status' in found)) return reply(200, 'success');
  const { status, text } = refuseValidation(found);
  reply(status, text);
}
