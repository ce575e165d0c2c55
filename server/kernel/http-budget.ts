/** Rate budgets of a request: used, and told in the fields of its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from './services.ts';
import { rateHeaders, type Standing, type ThrottleClass } from './throttle.ts';

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

/** Of several budgets that a request uses, the one that is nearest to its end is told. */
function showStanding({ admitted }: FastifyRequest, reply: FastifyReply, standing: Standing): void {
  if (
    !admitted.standing ||
    standing.remaining / standing.quota <= admitted.standing.remaining / admitted.standing.quota
  ) {
    admitted.standing = standing;
    reply.headers(rateHeaders(standing));
  }
}
