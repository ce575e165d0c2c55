/**
 * Incoming webhooks. Those of the media server are a hint to check a call, since participants are polled; those of a
 * carrier report the state of a phone leg; those of the payment provider are a hint to read the subscription again.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { receiveText } from '../domain/messages/incoming-texts.ts';
import type { CarrierRequest } from '../engines/ports.ts';
import { admitToRoom } from '../domain/calls/admission.ts';
import { applyPaymentEvent, refuseProviderUnavailable } from '../domain/billing/plans.ts';
import { checkCall } from '../domain/calls/update-call.ts';
import { admitByPin } from '../domain/calls/dialing/dial-in.ts';
import { reportLeg } from '../domain/calls/dialing/phone-legs.ts';
import { isId } from '../kernel/id.ts';
import { ApiError, fail } from '../kernel/errors.ts';
import { change, type Services } from '../kernel/services.ts';

/** Receives the signed webhooks of the media server, the carrier and the payment provider. */
export function addWebhooks(http: FastifyInstance, services: Services): void {
  addCarrierWebhooks(http, services);
  addPaymentWebhook(http, services);
  addAdmission(http, services);
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
        const report = await services.telephony.handleMediaEvent?.(event, (dial_in) => admitByPin(services, dial_in));
        if (report) await reportLeg(services, report);
        await change(services, async (one) =>
          one.enqueue(checkCall, { call_id: event.room }, { key: `call:${event.room}` }),
        );
      }
      return reply.status(200).send('');
    });
  });
}

/**
 * Tells the media server whether a client may join now; requests are authenticated by a token signed with its secret.
 */
function addAdmission(http: FastifyInstance, services: Services): void {
  http.post('/v1/media/admission', async (request, reply) => {
    const { token } = (request.body ?? {}) as { token?: unknown };
    const grant = await services.media.readGrant(String(token), request.headers.authorization);
    if (!grant || !(await admitToRoom(services, grant))) fail('forbidden');
    return reply.status(204).send();
  });
}

/** Requests of carriers are small; larger ones are refused. */
const carrier_body_bytes = 64 * 1024;

function addCarrierWebhooks(http: FastifyInstance, services: Services): void {
  const { telephony, sms, public_url } = services;
  void http.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/v1/telephony/webhook', { bodyLimit: carrier_body_bytes }, async (request, reply) => {
      const carrier_request = carrierRequestOf(request, public_url);
      const taken = await telephony.receive(carrier_request, (dial_in) => admitByPin(services, dial_in));
      if (!taken) throw new ApiError('unauthenticated', { message: 'The signature is not valid.' });
      const { report, answer } = taken;
      if (report) await reportLeg(services, report);
      return reply.status(200).header('content-type', answer.content_type).send(answer.body);
    });
    scope.post('/v1/sms/webhook', { bodyLimit: carrier_body_bytes }, async (request, reply) => {
      const taken = sms.receive?.(carrierRequestOf(request, public_url));
      if (!taken) throw new ApiError('unauthenticated', { message: 'The signature is not valid.' });
      const { text, answer } = taken;
      if (text) await receiveText(services, text);
      return reply.status(200).header('content-type', answer.content_type).send(answer.body);
    });
  });
}

function carrierRequestOf({ body, headers, url }: FastifyRequest, public_url: string): CarrierRequest {
  // Signatures cover the address that the carrier was given, and not the one to which a proxy may have changed it.
  return {
    url: `${public_url}${url}`,
    headers: headers as Record<string, string | undefined>,
    raw_body: typeof body === 'string' ? body : '',
  };
}

/** The maximum size of an event: Stripe's carry one object each. */
const payment_body_bytes = 256 * 1024;

function addPaymentWebhook(http: FastifyInstance, services: Services): void {
  void http.register(async (scope) => {
    // The raw body: the signature covers every byte.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post('/v1/billing/webhook', { bodyLimit: payment_body_bytes }, async (request, reply) => {
      const raw_body = typeof request.body === 'string' ? request.body : '';
      const signature = String(request.headers['stripe-signature'] ?? '');
      const event = await services.payment.receive({ raw_body, signature }).catch(refuseProviderUnavailable);
      if (!event) throw new ApiError('unauthenticated', { message: 'The signature is not valid.' });
      await change(services, (one) => applyPaymentEvent(one, event));
      return reply.status(200).send({ received: true });
    });
  });
}
