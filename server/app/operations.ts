/** Endpoints for operators: health, metrics, and the API documents. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from '../kernel/database/database.ts';
import { ApiError } from '../kernel/errors.ts';
import { equalSecret } from '../kernel/security/secret.ts';
import type { Services } from '../kernel/services.ts';
import { features } from '../features/index.ts';
import { describeApi } from '../kernel/http/documents/openapi.ts';
import { describeStream } from '../kernel/http/documents/asyncapi.ts';
import type { Config } from './config/config.ts';
import { isLocalRequest } from './console/local-requests.ts';
import { createEncodedSender } from './pages/encoding.ts';
import { addReferencePage } from './pages/reference-page.ts';
import { describeWebhooks } from './webhook-contracts.ts';
import type { Readiness } from './readiness.ts';

/** Adds health, metrics and documents. */
export function addOperations(http: FastifyInstance, services: Services, config: Config, readiness: Readiness): void {
  http.get('/health/live', async () => ({ status: 'live' }));
  http.get('/health/ready', async (_request, reply) => {
    const missing = await findMissing(services, readiness);
    readiness.recordProbe();
    if (missing.length > 0) reply.status(503).header('retry-after', '2');
    return missing.length > 0
      ? new ApiError('unavailable', { message: `Not ready: ${missing.join(', ')}.` }).envelope()
      : { status: 'ready' };
  });
  http.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, config)) throw new ApiError('not_found');
    return reply
      .header('content-type', services.metrics.registry.contentType)
      .send(await services.metrics.registry.metrics());
  });
  // Created on first use, since a start need not wait for it.
  const describe = once(() => describeApi(features, config.public_url, describeWebhooks(`${config.public_url}/v1`)));
  for (const [path, make] of [
    ['/v1/openapi.json', describe],
    ['/v1/asyncapi.json', () => describeStream(features)],
  ] as const) {
    const sendDocument = createEncodedSender(() => JSON.stringify(make()));
    http.get(path, async (_request, reply) =>
      sendDocument(reply.header('content-type', 'application/json; charset=utf-8')),
    );
  }
  addReferencePage(http, describe);
}

/** Memoises a function without arguments. */
function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

async function findMissing(services: Services, readiness: Readiness): Promise<string[]> {
  const missing: string[] = [];
  if (readiness.isDraining()) missing.push('the service is stopping');
  if (!(await doesDatabaseAnswer(services))) missing.push('the database does not answer');
  if (!services.bus.isConnected()) missing.push('the bus is not connected');
  return missing;
}

/** The checks in progress: probes have no budget, and share one, so that many at once cost no more than one. */
const checks = new WeakMap<Services, Promise<boolean>>();

function doesDatabaseAnswer(services: Services): Promise<boolean> {
  let check = checks.get(services);
  if (!check) {
    check = checkDatabase(services).finally(() => checks.delete(services));
    checks.set(services, check);
  }
  return check;
}

async function checkDatabase({ db, limits }: Services): Promise<boolean> {
  const answer = db.run(sql`select 1`).then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const late = wait(limits.readiness_ms, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([answer, late]).finally(() => timer.abort());
}

/** Metrics are readable from loopback without a token, from elsewhere with one. */
function mayReadMetrics(request: FastifyRequest, config: Config): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (config.metrics_token && given) return equalSecret(given, config.metrics_token);
  return isLocalRequest(request);
}
