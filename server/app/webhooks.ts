/** What the media server tells: a hint to look, since who is connected is asked and not counted. */
import type { FastifyInstance } from 'fastify';
import { checkCall } from '../domain/calling.ts';
import { isId } from '../kernel/id.ts';
import { ApiError } from '../kernel/errors.ts';
import { change, type Services } from '../kernel/services.ts';

/** Takes the media server's signed webhooks. */
export function addWebhooks(http: FastifyInstance, services: Services): void {
  void http.register(async (scope) => {
    scope.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/v1/media/webhook', async (request, reply) => {
      const event = await services.media
        .receive(String(request.body), request.headers.authorization)
        .catch((cause: unknown) => {
          throw new ApiError('unauthenticated', { message: 'The signature is not valid.', cause });
        });
      if (event && isId('conf', event.room)) {
        await change(services, async (one) =>
          one.enqueue(checkCall, { call_id: event.room }, { key: `call:${event.room}` }),
        );
      }
      return reply.status(200).send('');
    });
  });
}
