/** Load shedding: excess requests are refused before any work is done for them. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRandomPool } from '../security/random-pool.ts';
import { callerIdOf } from '../caller.ts';
import { ApiError, fail } from '../errors.ts';
import { limitConnections } from './connections/http-connections.ts';
import { acceptHost } from './http-host.ts';
import type { Limits } from '../load/limits.ts';
import type { LoadGate } from '../load/load-gate.ts';
import { createPacer } from '../load/pacer.ts';
import { addGauge, type Metrics } from '../observability/metrics.ts';

/**
 * Counts an upload until it is answered or aborted.
 * @throws ApiError `unavailable` when too many are running, of its account or in all
 */
export type CountUpload = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Limits concurrent uploads, in all and per account: each holds its file in memory and a place among the running
 * requests, however slowly it is sent. An account may start another only while it has fewer running than places are
 * free, so that a few accounts cannot occupy them all.
 */
export function countUploads({ uploads_running, uploads_per_account }: Limits): CountUpload {
  const by_account = new Map<string, number>();
  let all = 0;
  return (request, reply) => {
    const { caller } = request.admitted;
    const account = caller ? callerIdOf(caller) : request.ip;
    const own = by_account.get(account) ?? 0;
    if (own >= Math.min(uploads_per_account, uploads_running - all)) fail('unavailable', { retry_after_s: 2 });
    all += 1;
    by_account.set(account, own + 1);
    finished(reply.raw, () => {
      all -= 1;
      const left = (by_account.get(account) ?? 1) - 1;
      if (left > 0) by_account.set(account, left);
      else by_account.delete(account);
    });
  };
}

const draw = createRandomPool();

/** A request id, by which its answer and its log lines are found. */
export const generateRequestId = () => `req_${draw(12).toString('base64url')}`;

/** A refusal as it is sent, created once: many are sent under overload. */
type Refusal = { status: number; headers: Record<string, string>; body: string };

function createRefusal(error: ApiError): Refusal {
  const body = JSON.stringify(error.envelope());
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(error.retry_after_s === undefined ? {} : { 'retry-after': String(error.retry_after_s) }),
  };
  return { status: error.status, headers, body };
}

const busy = createRefusal(new ApiError('unavailable', { retry_after_s: 1 }));
const bad_host = createRefusal(new ApiError('bad_request', { message: 'This is not a valid HTTP request.' }));

type Served = { services: { limits: Limits; metrics: Metrics }; base_path: string; trust_proxy: boolean };

/**
 * Creates the server with the configured limits on slow clients. While the load gate is full, requests to the API are
 * refused here, which costs a fraction of routing and hooks.
 */
export function createGatedServer(
  handler: RequestListener,
  gate: LoadGate,
  { services, base_path, trust_proxy }: Served,
): Server {
  const { limits, metrics } = services;
  const mayAnswer = boundPipelines(limits);
  const pace = createPacer(limits);
  const server = createServer(
    {
      requestTimeout: limits.request_timeout_ms,
      headersTimeout: limits.headers_timeout_ms,
      keepAliveTimeout: limits.keep_alive_timeout_ms,
      connectionsCheckingInterval: limits.late_check_ms,
    },
    (request, response) => {
      if (!mayAnswer(request, response)) return;
      if (!acceptHost(request)) {
        response.shouldKeepAlive = false;
        return refuse(response, bad_host);
      }
      const serve = () => handler(request, response);
      // Requests of the media server concern people who are already in calls, and must not be shed in favour of others.
      if (!request.url?.startsWith(`${base_path}/`) || request.url.startsWith(`${base_path}/media/`)) return serve();
      gate.pass(request, response, serve, () => {
        metrics.shed.inc();
        pace(() => refuse(response, busy));
      });
    },
  );
  const countOpen = limitConnections(server, limits, trust_proxy);
  addGauge(metrics, 'asterism_http_connections', 'Connections that are open, websockets among them.', countOpen);
  return server;
}

/**
 * Limits the requests of a connection that wait for an answer: one packet can contain hundreds, which are all parsed and
 * begun in the same turn of the event loop.
 * @returns whether a request may be answered; otherwise its connection is closed
 */
function boundPipelines({
  connection_requests,
}: Limits): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > connection_requests) socket.destroy();
    // The rest of a packet is parsed also after its connection was closed.
    if (socket.destroyed) return false;
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return true;
  };
}

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, { ...headers, 'x-request-id': generateRequestId() }).end(body);
}
