/** Load: what is too much is refused before anything is done for it. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createChance } from '../security/chance.ts';
import { callerIdOf } from '../caller.ts';
import { ApiError, fail } from '../errors.ts';
import { boundConnections } from './http-connections.ts';
import type { Limits } from '../load/limits.ts';
import type { LoadGate } from '../load/load-gate.ts';
import { addGauge, type Metrics } from '../observability/metrics.ts';

/** Counts an upload until it is answered or cut. @throws ApiError `unavailable` when there are too many, of its account or of all */
export type EnterUpload = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Lets a few uploads be under way at once, and fewer of one account: each holds its file in memory and a place among the
 * requests, however slowly it is sent. An account may begin another only while it has fewer under way than places are
 * free, so that a few accounts cannot take them all.
 */
export function countUploads({ uploads_running, uploads_per_account }: Limits): EnterUpload {
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

const draw = createChance();

/** A name for one request, by which its answer and its lines in the log are found. */
export const makeRequestId = () => `req_${draw(12).toString('base64url')}`;

const busy = new ApiError('unavailable', { retry_after_s: 1 });
const busy_body = JSON.stringify(busy.envelope());

/**
 * Makes the server, with the table's limits on slow clients. While the gate is full it answers requests of the API
 * itself: that costs a fraction of the way through routes and hooks, which is what shedding lives on.
 */
export function createGatedServer(
  handler: RequestListener,
  limits: Limits,
  gate: LoadGate,
  { base_path, metrics }: { base_path: string; metrics: Metrics },
): Server {
  const server = createServer(
    {
      requestTimeout: limits.request_timeout_ms,
      headersTimeout: limits.headers_timeout_ms,
      keepAliveTimeout: limits.keep_alive_timeout_ms,
      connectionsCheckingInterval: limits.late_check_ms,
    },
    (request, response) => {
      const serve = () => handler(request, response);
      // The media server asks and tells for people who are in calls already; others' requests must not cut those off.
      if (!request.url?.startsWith(base_path) || request.url.startsWith(`${base_path}media/`)) return serve();
      gate.pass(request, response, serve, () => {
        metrics.shed.inc();
        refuse(response);
      });
    },
  );
  const countOpen = boundConnections(server, limits);
  addGauge(metrics, 'asterism_http_connections', 'Connections that are open, websockets among them.', countOpen);
  return server;
}

function refuse(response: ServerResponse): void {
  response.writeHead(busy.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': busy_body.length,
    'cache-control': 'no-store',
    'retry-after': String(busy.retry_after_s),
    'x-content-type-options': 'nosniff',
    'x-request-id': makeRequestId(),
  });
  response.end(busy_body);
}
