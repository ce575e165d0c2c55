/** Rate budgets of a request: consumed, and reported in the headers of its answer. */
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors.ts';
import { rateHeaders, type BudgetState, type ThrottleClass } from '../load/throttle.ts';
import type { Exchange } from './http-exchange.ts';

/** Units of a budget: its class, whose it is, and how many units; one by default. */
type Units = { name: ThrottleClass; key: string; amount?: number | undefined };

/** Consumes units of a budget and reports what is left. @throws ApiError `rate_limited`, `unavailable` */
export function consumeBudget({ services, reply }: Exchange, { name, key, amount }: Units): Promise<void> | undefined {
  const budget = services.throttle.consume(name, key, amount);
  if (budget instanceof Promise) return budget.then((counted) => reportBudget(reply, counted));
  reportBudget(reply, budget);
  return undefined;
}

/**
 * Consumes a budget unless the request is a replay by its idempotency key. A replay is answered even when the budget is used up, but whether it
 * is one is known only after its body was read; until then only the budget of all requests limits it.
 */
export async function consumeUnlessReplay(exchange: Exchange, units: Units): Promise<void> {
  try {
    await consumeBudget(exchange, units);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
    await consumeBudget(exchange, { name: 'default', key: units.key });
    exchange.reply.request.admitted.over_budget = error;
  }
}

/**
 * Refunds what a replay has consumed, and reports what is left. Nothing is refunded while the store is down, nor to a
 * client that repeats requests endlessly: each costs as much as a read.
 */
export async function refund({ services, reply }: Exchange, { name, key }: Units): Promise<void> {
  try {
    if (!(await services.throttle.tryConsume('replay', key))) return;
    await services.throttle.refund(name, key);
    const budget = await services.throttle.peek(name, key);
    reply.request.admitted.budget = budget;
    reply.headers(rateHeaders(budget));
  } catch (error) {
    services.log.warn({ err: error }, 'failed to refund a rate budget');
  }
}

/** Of several budgets that a request consumes, the one closest to exhaustion is reported. */
function reportBudget(reply: FastifyReply, budget: BudgetState): void {
  const { admitted } = reply.request;
  if (!admitted.budget || budget.remaining / budget.quota <= admitted.budget.remaining / admitted.budget.quota) {
    admitted.budget = budget;
    reply.headers(rateHeaders(budget));
  }
}
