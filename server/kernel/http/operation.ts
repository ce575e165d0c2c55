/**
 * Operations: contracts compiled for execution, and the one way in which they run. Requests come here from `http.ts`;
 * commands and scheduled jobs run the same operations in process, with the same gate, checks and budgets.
 */
import type { Queryable } from '../database/database.ts';
import { callerIdOf, isGuest, type Caller, type Gate, type Guest, type Origin } from '../caller.ts';
import { routeOf, type Endpoint, type Upload } from '../endpoint.ts';
import { fail, invalid, StalePreparationError, type ApiError } from '../errors.ts';
import { isBodyRequired } from './http-body.ts';
import { toAnswer } from './http-reply.ts';
import { isAnswer, runUnderKey, selectAnswer, type IdempotencyKey, type StoredAnswer } from './idempotency.ts';
import { requireOnePosition } from '../page.ts';
import { object } from '../schema.ts';
import { compileValidator, type Validate } from '../validation.ts';
import {
  change,
  type Change,
  type InProcessContext,
  type Operations,
  type Request,
  type Services,
} from '../services.ts';
import type { ThrottleClass } from '../load/throttle.ts';
import { queueChange } from '../change-queue.ts';
import { coerceQuery, findUnstorable } from './wire.ts';

/** A contract with its schemas compiled. */
export type Operation = {
  endpoint: Endpoint;
  path: Validate | undefined;
  query: Validate | undefined;
  body: Validate;
  is_body_required: boolean;
  /** Set where replies are validated against their schema: in tests. */
  reply: Validate | undefined;
};

/** The input of an operation that was admitted and validated. */
export type OperationInput = {
  caller: Caller | Guest | undefined;
  origin: Origin;
  path: unknown;
  query: unknown;
  body: unknown;
  file: Upload | undefined;
  services: Services;
  now: Date;
  consume(name: ThrottleClass, key: string, amount?: number): Promise<void>;
  /** Checks that the caller's session has not ended while the input was read or prepared. */
  readmit?(): Promise<void> | undefined;
};

/** An answer, and the raw result of the handler: a stream has no text. */
export type Outcome = { answer: StoredAnswer; result: unknown; repeated: boolean };

const no_body = object({});

/** Compiles contracts. @param check_replies validates every reply against its schema */
export function compileOperations(endpoints: readonly Endpoint[], check_replies: boolean): Operation[] {
  return endpoints.map((endpoint) => ({
    endpoint,
    path: endpoint.path && compileValidator(endpoint.path),
    query: endpoint.query && compileValidator(endpoint.query),
    body: compileValidator(endpoint.body ?? no_body),
    is_body_required: isBodyRequired(endpoint),
    reply: check_replies && endpoint.reply ? compileValidator(endpoint.reply) : undefined,
  }));
}

/** Makes operations callable in process by method and path. */
export function createOperations(compiled: readonly Operation[]): Operations {
  const by_route = new Map(compiled.map((one) => [one.endpoint.route as string, one]));
  return {
    has: (method, path) => by_route.has(`${method} ${path}`),
    call: async (method, path, by, request) =>
      callOperation(by_route.get(`${method} ${path}`) ?? fail('not_found'), by, request),
  };
}

/**
 * Checks the gate; a guest is admitted only where an operation allows it.
 * @throws ApiError `forbidden`, `mobile_unverified`
 */
export function requireGate(gate: Gate, caller: Caller | Guest): void {
  if (isGuest(caller)) {
    if (gate !== 'guest') fail('forbidden', { message: 'Guests cannot do this.' });
  } else if ((gate === 'verified' || gate === 'guest') && !caller.mobile_verified) fail('mobile_unverified');
}

/** Query parameters converted to the types of the contract. @throws ApiError `validation_failed` */
export function checkQuery({ endpoint, query: validate }: Operation, given: Record<string, unknown>): object {
  const query = endpoint.query ? coerceQuery(endpoint.query, given) : {};
  const fields = validate?.(query) ?? findUnstorable(JSON.stringify(query), query);
  if (fields) invalid(fields);
  requireOnePosition(query);
  return query;
}

/**
 * Runs an operation whose caller was admitted and whose input was validated: `prepare`, and then the handler, in a
 * separate transaction unless it only reads.
 * @param key makes a replay return the first answer
 * @param park runs work that needs no database, while the request does not count as a running one
 * @throws ApiError what the handler refuses
 */
export async function runOperation(
  operation: Operation,
  given: OperationInput,
  key: IdempotencyKey | undefined,
  park: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Outcome> {
  const { endpoint } = operation;
  // Not awaited without need, as in the admission.
  const readmitted = given.readmit?.();
  if (readmitted) await readmitted;
  if (routeOf(endpoint).method === 'GET') {
    const prepare = prepareOf(endpoint, given);
    const prepared = prepare && (await park(prepare));
    if (prepare) await given.readmit?.();
    const result = await read(endpoint, given, given.services.db, prepared);
    return { answer: toAnswer(endpoint, operation.reply, result), result, repeated: false };
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await runWrite(operation, given, key, park);
    } catch (error) {
      if (!(error instanceof StalePreparationError)) throw error;
      if (attempt === max_preparations) fail('conflict', { cause: error });
    }
  }
}

/** The slow work of an operation before its handler; undefined when there is none. */
const prepareOf = (endpoint: Endpoint, given: OperationInput): (() => Promise<unknown>) | undefined =>
  endpoint.prepare && (() => endpoint.prepare?.(given as never) as Promise<unknown>);

/** How often an operation is prepared when what was prepared has become stale. */
const max_preparations = 6;

/** Runs an operation that writes, once. */
async function runWrite(
  operation: Operation,
  given: OperationInput,
  key: IdempotencyKey | undefined,
  park: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Outcome> {
  const { endpoint } = operation;
  const { services } = given;
  const prepare = prepareOf(endpoint, given);
  // Looked up early only where that saves slow work; the transaction looks it up in any case.
  const known = key && prepare && (await selectAnswer(services, services.db, key, given.now));
  if (known) return { answer: known, result: undefined, repeated: true };
  let refusal: ApiError | undefined;
  const prepared = await (prepare && park(prepare))?.catch((error: unknown) => {
    if (!key || !isAnswer(error)) throw error;
    refusal = error;
  });
  let result: unknown;
  let ran = false;
  const run = async (one: Change) => {
    if (refusal) throw refusal;
    // A change that was rolled back for a conflict is repeated.
    ran = false;
    result = await endpoint.run({ ...given, ...one, prepared } as never);
    ran = true;
    return toAnswer(endpoint, operation.reply, result);
  };
  const discard = () => (prepared === undefined ? undefined : endpoint.discard?.(prepared, services));
  const runChange = async () => {
    if (prepare) await given.readmit?.();
    return key ? runUnderKey(services, key, run, endpoint.is_transactional) : change(services, run);
  };
  const { caller } = given;
  const changed = caller ? queueChange(services, callerIdOf(caller), runChange, park) : runChange();
  const answer = await changed.catch(async (error: unknown) => {
    // If the connection broke after the handler had finished, the commit may have succeeded.
    if (!ran || (error as { severity?: string }).severity === 'ERROR') await discard();
    throw error;
  });
  if (!ran) await discard();
  return { answer, result, repeated: 'repeated' in answer && answer.repeated === true };
}

/** Runs a read-only operation, without a transaction. */
function read(endpoint: Endpoint, given: OperationInput, db: Queryable, prepared: unknown): Promise<unknown> {
  const none = () => fail('internal_error', { cause: new Error('a GET changes nothing') });
  const { id } = given.services;
  return endpoint.run({
    ...given,
    db,
    id,
    emit: none,
    enqueue: none,
    deferEvents: none,
    awaitAtCommit: none,
    writeWithEvents: none,
    flush: none,
    afterCommit: none,
    prepared,
  } as never);
}

/**
 * The result of a read that another operation runs in process for the same caller; only its contract is checked.
 * @param db where its statements run
 */
export const readPart = (
  endpoint: Endpoint,
  { caller, origin, services, now, consume }: Omit<OperationInput, 'path' | 'query' | 'body' | 'file'>,
  db: Queryable,
  query: object = {},
): Promise<unknown> =>
  read(endpoint, { caller, origin, services, now, consume, path: {}, query, body: {}, file: undefined }, db, undefined);

async function callOperation(
  operation: Operation,
  { caller, origin, consume, change: one }: InProcessContext,
  { path = {}, query = {}, body = {} }: Request,
): Promise<{ status: number; body: unknown }> {
  const { endpoint } = operation;
  requireGate(endpoint.gate, caller);
  await consume(endpoint.throttle ?? 'default', caller.user_id);
  if (operation.path?.(path)) fail('not_found');
  const checked = checkQuery(operation, query);
  const fields = operation.body(body) ?? findUnstorable(JSON.stringify(body), body);
  if (fields) invalid(fields);
  const given = {
    caller,
    origin,
    path,
    query: checked,
    body,
    file: undefined,
    services: one.services,
    now: one.now,
    consume,
  };
  const prepared = await endpoint.prepare?.(given as never);
  const is_read = routeOf(endpoint).method === 'GET';
  const result = await (is_read
    ? read(endpoint, given, one.db, prepared)
    : // `given` overrides what the change has from the operation to which it belongs.
      endpoint.run({ ...one, ...given, prepared } as never));
  await one.flush();
  const answer = toAnswer(endpoint, operation.reply, result);
  return { status: answer.status, body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown) };
}
