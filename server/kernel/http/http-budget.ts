/** Rate budgets of a request: consumed, and reported in the headers of its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { rateHeaders, type BudgetState, type ThrottleClass } from '../load/throttle.ts';

/** Consumes one unit of a budget and reports what is left. @throws ApiError `rate_limited`, `unavailable` */
export function consumeBudget(
  { services }: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
  amount?: number,
): Promise<void> | undefined {
  const budget = services.throttle.consume(name, key, amount);
  if (budget instanceof Promise) return budget.then((counted) => reportBudget(request, reply, counted));
  reportBudget(request, reply, budget);
  return undefined;
}

/**
 * Consumes a budget unless the request is a replay by its idempotency key. A replay is answered even when the budget is used up, but whether it
 * is one is known only after its body was read; until then only the budget of all requests limits it.
 */
export async function consumeUnlessReplay(
  options: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
): Promise<void> {
  try {
    await consumeBudget(options, request, reply, name, key);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
    await consumeBudget(options, request, reply, 'default', key);
    request.admitted.over_budget = error;
  }
}

/**
 * Refunds what a replay has consumed, and reports what is left. Nothing is refunded while the store is down, nor to a
 * client that repeats requests endlessly: each costs as much as a read.
 */
export async function refund(
  { services }: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
): Promise<void> {
  try {
    if (!(await services.throttle.tryConsume('replay', key))) return;
    await services.throttle.refund(name, key);
    const budget = await services.throttle.peek(name, key);
    request.admitted.budget = budget;
    reply.headers(rateHeaders(budget));
  } catch (error) {
    services.log.warn({ err: error }, 'failed to refund a rate budget');
  }
}

/** Of several budgets that a request consumes, the one closest to exhaustion is reported. */
function reportBudget({ admitted }: FastifyRequest, reply: FastifyReply, budget: BudgetState): void {
  if (!admitted.budget || budget.remaining / budget.quota <= admitted.budget.remaining / admitted.budget.quota) {
    admitted.budget = budget;
    reply.headers(rateHeaders(budget));
  }
}
