/** Pages that read the database take turns by network, as requests to the API do. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../kernel/errors.ts';
import { createFairQueue } from '../../kernel/load/fair-queue.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import type { Limits } from '../../kernel/load/limits.ts';

/**
 * Lets few requests for pages of a scope run at once, served in rotation over networks: otherwise those of one could fill the
 * queue of the database. A request has its place until its page was written, however slowly it is read.
 */
export function queuePages(scope: FastifyInstance, limits: Limits): void {
  const queue = createFairQueue(
    { running: limits.pages_running, running_per_account: limits.pages_per_network, waiting: limits.pages_waiting },
    () => fail('unavailable', { retry_after_s: 1 }),
  );
  const places = new WeakMap<FastifyRequest, () => void>();
  scope.addHook('onRequest', async (request, reply) => {
    const begun = Promise.withResolvers<void>();
    const turn = queue.run(networksOf(request.ip), () => {
      const left = Promise.withResolvers<void>();
      places.set(request, left.resolve);
      if (reply.raw.destroyed) left.resolve();
      else reply.raw.once('close', left.resolve);
      begun.resolve();
      return left.promise;
    });
    await Promise.race([begun.promise, turn]);
  });
  scope.addHook('onSend', async (request) => places.get(request)?.());
}
