/** Admission of a request before its body is read: token, gate, rate budget and path identifiers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { callerIdOf, isGuest, sessionIdOf, type Caller, type Guest, type Origin } from '../caller.ts';
import { type ApiError, fail } from '../errors.ts';
import { bearerOf, originOf } from './http-origin.ts';
import { unauthorized } from './http-refusal.ts';
import { consumeBudget, consumeUnlessReplay } from './http-budget.ts';
import { requireGate, type Operation } from './operation.ts';
import { isHolder } from '../security/grant.ts';
import type { BudgetState } from '../load/throttle.ts';

/** Identifies the owner of a token: synchronously from the cache, or from the database. */
export type Authenticate = (
  token: string,
  request: { ip: string; device: string },
) => Caller | Guest | undefined | Promise<Caller | Guest | undefined>;

/** What is known of a request once it was admitted. */
type Admitted = {
  caller: Caller | Guest | undefined;
  budget: BudgetState | undefined;
  started_ms: number;
  /** When its session was last checked. */
  checked_ms: number;
  origin: Origin;
  /** Why the request is refused unless it is an idempotent replay. */
  over_budget: ApiError | undefined;
  /** Releases its place among the running requests, while it has one. */
  leave: (() => void) | undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted;
  }
}

/** Everything that can refuse a request before its body is read: token, gate, throttle, path identifiers. */
export async function admit(
  operation: Operation,
  options: { services: Services; authenticate: Authenticate },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { endpoint } = operation;
  const { gate } = endpoint;
  const started_ms = performance.now();
  // Before anything is read: a stream that starts there has every later change of what the answer contains.
  const position = request.method === 'GET' ? options.services.realtime.headId() : undefined;
  const admitted: Admitted = {
    caller: undefined,
    budget: undefined,
    started_ms,
    checked_ms: started_ms,
    origin: originOf(request),
    over_budget: undefined,
    leave: undefined,
  };
  request.admitted = admitted;
  reply.header('cache-control', 'no-store');
  if (gate !== 'public') {
    const token = bearerOf(request);
    if (token !== undefined) {
      const found = options.authenticate(token, admitted.origin);
      admitted.caller = found instanceof Promise ? await found : found;
      if (!admitted.caller && !endpoint.takes_grant) throw unauthorized('token_invalid');
      if (!admitted.caller) admitted.origin.grant = token;
    } else if (gate !== 'optional') {
      throw unauthorized('unauthenticated');
    }
    if (admitted.caller) {
      requireGate(gate, admitted.caller);
      if (position !== undefined) reply.header('asterism-position', position);
    }
  }
  const may_repeat = endpoint.throttle !== undefined && request.headers['idempotency-key'] !== undefined;
  const consume = may_repeat ? consumeUnlessReplay : consumeBudget;
  const exchange = { endpoint, services: options.services, reply };
  const consumed = consume(exchange, { name: endpoint.throttle ?? 'default', key: budgetKeyOf(request) });
  // A result that is available synchronously is not awaited: each microtask turn adds noticeably to a small read.
  if (consumed) await consumed;
  // Guests are anonymous: one address can become many, whose changes are sent to everybody in a call or widget.
  if (admitted.caller && isGuest(admitted.caller) && request.method !== 'GET')
    await consumeBudget(exchange, { name: 'guest_change', key: request.ip });
  if (operation.path?.(request.params)) fail('not_found');
}

/**
 * Checks the session again if the last check was a while ago: a body may be sent for a minute, and files take seconds to
 * be decoded, while a sign-out ends everything within a second. The session and not the token, since a token may be
 * replaced by a newer one meanwhile.
 * @throws ApiError `token_invalid`
 */
export function readmit(services: Services, admitted: Admitted): Promise<void> | undefined {
  const { caller, checked_ms } = admitted;
  if (!caller || performance.now() - checked_ms < services.limits.admission_ms) return undefined;
  admitted.checked_ms = performance.now();
  return requireHolder(services, caller);
}

async function requireHolder(services: Services, caller: Caller | Guest): Promise<void> {
  const owner = { user_id: callerIdOf(caller), session_id: sessionIdOf(caller) };
  if (!(await isHolder(services, owner))) throw unauthorized('token_invalid');
}

/** The key of the budgets that a request consumes. */
export const budgetKeyOf = ({ admitted, ip }: FastifyRequest): string =>
  admitted.caller ? callerIdOf(admitted.caller) : ip;
