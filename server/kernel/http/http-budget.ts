/** Rate budgets of a request: used, and told in the fields of its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { rateHeaders, type BudgetState, type ThrottleClass } from '../load/throttle.ts';

/** Uses one of a budget and tells how it stands. @throws ApiError `rate_limited`, `unavailable` */
export function takeBudget(
  { services }: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
  amount?: number,
): Promise<void> | undefined {
  const standing = services.throttle.take(name, key, amount);
  if (standing instanceof Promise) return standing.then((counted) => showStanding(request, reply, counted));
  showStanding(request, reply, standing);
  return undefined;
}

/**
 * The same for a request with an idempotency key: a repeat is answered also when its budget is used up, and whether it is
 * one is known only once its body was read. Until then the budget of all requests bounds it.
 */
export async function takeUnlessRepeat(
  options: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
): Promise<void> {
  try {
    await takeBudget(options, request, reply, name, key);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
    await takeBudget(options, request, reply, 'default', key);
    request.admitted.over_budget = error;
  }
}

/** Gives back what a repeat has used, and tells how the budget stands. A store that is down gives nothing back. */
export async function giveBack(
  { services }: { services: Services },
  request: FastifyRequest,
  reply: FastifyReply,
  name: ThrottleClass,
  key: string,
): Promise<void> {
  try {
    await services.throttle.giveBack(name, key);
    const standing = await services.throttle.look(name, key);
    request.admitted.standing = standing;
    reply.headers(rateHeaders(standing));
  } catch (error) {
    services.log.warn({ err: error }, 'a budget could not be given back');
  }
}

/** Of several budgets that a request uses, the one that is nearest to its end is told. */
function showStanding({ admitted }: FastifyRequest, reply: FastifyReply, standing: BudgetState): void {
  if (
    !admitted.standing ||
    standing.remaining / standing.quota <= admitted.standing.remaining / admitted.standing.quota
  ) {
    admitted.standing = standing;
    reply.headers(rateHeaders(standing));
  }
}
