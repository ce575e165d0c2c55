/** Idempotency keys of requests, and what a failed change has left behind. */
import type { FastifyRequest } from 'fastify';
import type { Caller, Endpoint, Upload } from './endpoint.ts';
import { ApiError, invalid } from './errors.ts';
import { idempotencyKey, type IdempotencyKey } from './idempotency.ts';

/** The key of a request, where it carries one and its operation heeds it. @throws ApiError `validation_failed` */
export function keyOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  caller: Caller | undefined,
  body: unknown,
  file: Upload | undefined,
): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || endpoint.idempotent === false || !endpoint.route.startsWith('POST ')) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    invalid({ 'Idempotency-Key': 'must have 1 to 255 characters' });
  return idempotencyKey(
    caller?.user_id ?? `ip:${request.ip}`,
    endpoint.id,
    key,
    file ? [request.url, JSON.stringify(body), file.bytes] : [request.url, request.raw_body],
  );
}

/**
 * Whether a change that failed is surely not in the database: a rule refused it, or the server did. When the
 * connection broke, the commit may have been on its way.
 */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof ApiError) return !error.commit;
  return (error as { severity?: string }).severity === 'ERROR';
}
