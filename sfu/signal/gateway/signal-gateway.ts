/**
 * The signal gateway in front of a LiveKit server. LiveKit accepts any token until it expires, and renews tokens by
 * itself, so that somebody who was removed could return. Clients therefore get tokens signed with another secret, which
 * LiveKit rejects; they connect to this gateway, which asks the service at each join and then joins LiveKit with a
 * token of its own. Media flow directly between client and LiveKit.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { createAdmission, REFUSALS, refuseValidation, type Admit, type Refusal } from '../admission.ts';
import { SignalAdmission } from '../connection-limits.ts';
import { readBearer, readTarget, requireJoinGrants } from '../connect.ts';
import { LIMITS } from '../../limits.ts';
import { closeSignalServer, CORS, createSignalServer, refuseUpgrade, type SignalTimes } from '../signal-server.ts';
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
  /** Time limits other than the default ones. */
  times?: SignalTimes;
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
};

/** A gateway that listens; closing it disconnects its clients. */
export type Gateway = { port: number; close(): Promise<void> };

/** What decides on a join, or on a validation. */
type Gate = { admit: Admit; rates: SignalAdmission };

const busy: Refusal = { status: 503, reason: 'Service Unavailable', text: 'too many connections' };
const SIGNAL_PATHS = new Set(['/rtc', '/rtc/v1']);
const VALIDATION_PATHS = new Set(['/rtc/validate', '/rtc/v1/validate']);
/**
 * What clients say about themselves and how they connect; nothing else is passed on. LiveKit also takes `publish`, which
 * joins a second time under another identity, which no removal would reach.
 */
const PARAMETERS: ReadonlySet<string> = new Set([
  'adaptive_stream',
  'auto_subscribe',
  'auto_subscribe_data_track',
  'browser',
  'browser_version',
  'client_protocol',
  'device_model',
  'disable_ice_lite',
  'join_request',
  'network',
  'os',
  'os_version',
  'protocol',
  'reconnect',
  'reconnect_reason',
  'sdk',
  'sid',
  'subscriber_allow_pause',
  'version',
]);

/** Starts the gateway. @throws the listen error of node:net, for example when the port is in use */
export async function startSignalGateway(options: GatewayOptions): Promise<Gateway> {
  const { api_key, api_secret, log } = options;
  const onError = (error: unknown) => log('warn', 'the service cannot be asked who may join', { error: String(error) });
  const admit = createAdmission({ url: options.admission_url, api_key, api_secret, onError });
  const { trust_proxy = false, times } = options;
  const gate: Gate = { admit, rates: new SignalAdmission(trust_proxy) };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.signal_frame_bytes,
    perMessageDeflate: false,
  });
  const server = createSignalServer({
    trust_proxy,
    log,
    times,
    answer: (request, response) => void answer(request, response, options, gate),
    upgrade: takeUpgrade,
  });

  function takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refuse = ({ status, reason, text }: Refusal) => refuseUpgrade(socket, `${status} ${reason}`, text);
    if (!SIGNAL_PATHS.has(readTarget(request).pathname))
      return refuse({ status: 404, reason: 'Not Found', text: 'not found' });
    if (sockets.clients.size >= LIMITS.gateway_sockets) return refuse(busy);
    const onOpen = (grants: Grants, upstream: WebSocket) => {
      if (socket.destroyed) return upstream.terminate();
      // A handshake that is invalid, or a client that has left, ends in no client at all.
      const abandon = () => upstream.terminate();
      socket.once('close', abandon);
      sockets.handleUpgrade(request, socket, head, (client) => {
        socket.off('close', abandon);
        gate.rates.record(client, gate.rates.networkOf(request), grants.identity);
        const renew = () => renewToken(grants, api_key, options.client_secret, LIMITS.renewed_token_s);
        const token = readBearer(request);
        bridge(client, upstream, { renew, isAdmitted: async () => (await admit(token)) !== 'refused' });
      });
    };
    void connect(request, options, gate, { refuse, onOpen });
  }

  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    // Clients resume elsewhere, or here after the restart; LiveKit keeps their media meanwhile.
    close: () => closeSignalServer(server, sockets, 1012),
  };
}

/** Joins LiveKit for an admitted client; delivers the socket before its first frame, or refuses. */
async function connect(
  request: IncomingMessage,
  options: GatewayOptions,
  gate: Gate,
  { refuse, onOpen }: { refuse(refusal: Refusal): void; onOpen(grants: Grants, upstream: WebSocket): void },
): Promise<void> {
  const grants = await findGrants(request, options, gate);
  if ('status' in grants) return refuse(grants);
  if (!gate.rates.hasPlace(gate.rates.networkOf(request))) return refuse(REFUSALS.too_many);
  const upstream = openUpstream(request, grants, options);
  upstream.once('open', () => onOpen(grants, upstream));
  upstream.once('unexpected-response', (_request, { statusCode = 502, statusMessage = '' }: IncomingMessage) => {
    refuse({ status: statusCode, reason: statusMessage, text: 'the media server refuses' });
    upstream.terminate();
  });
  upstream.once('error', (error) => {
    if (request.socket.writable) refuse({ ...busy, text: 'the media server cannot be reached' });
    options.log('warn', 'a join did not reach LiveKit', { room: grants.room, error: String(error) });
  });
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
  if (!rates.mayAsk(rates.networkOf(request), grants.identity)) return REFUSALS.too_many;
  const admission = await admit(readBearer(request));
  return admission === 'admitted' ? grants : REFUSALS[admission];
}

/** The client's request to LiveKit, with another token. */
function openUpstream(request: IncomingMessage, grants: Grants, options: GatewayOptions): WebSocket {
  const { pathname, searchParams } = readTarget(request);
  const address = new URL(options.livekit_url.replace(/^http/, 'ws'));
  address.pathname = `${address.pathname.replace(/\/$/, '')}${pathname}`;
  for (const [name, value] of searchParams) if (PARAMETERS.has(name)) address.searchParams.append(name, value);
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
  if (!VALIDATION_PATHS.has(path)) return reply(404, 'not found');
  const found = await findGrants(request, options, gate);
  if (!('status' in found)) return reply(200, 'success');
  const { status, text } = refuseValidation(found);
  reply(status, text);
}
