/** The developer console: messages caught by the simulators, and the clock. Only for requests from this machine. */
import type { FastifyInstance } from 'fastify';
import { invalid, ApiError } from '../../kernel/errors.ts';
import { coerceQuery } from '../../kernel/http/wire.ts';
import { object, oneOf, optional, text, Type } from '../../kernel/schema.ts';
import { compileValidator } from '../../kernel/validation.ts';
import type { Services } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { writeConsolePage } from './console-page.ts';
import { dialIn, DialInRequest, LegAction, listLegs, simulateLeg } from './console-phone.ts';
import { isLocalRequest } from './local-requests.ts';
import { IncomingTextRequest, simulateIncomingText } from './console-sms.ts';
import { listCheckouts, PaymentAction, simulateBuyer } from './console-payment.ts';

const OutboxSinkQuery = object({
  to: optional(text(1, 254)),
  channel: optional(oneOf('sms', 'email', 'push', 'call')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  offset: optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
});

const ClockBody = Type.Union([
  object({ now: Type.String({ format: 'date-time' }) }),
  object({ advance_s: Type.Number({ minimum: -3e9, maximum: 3e9 }) }),
  object({ reset: Type.Literal(true) }),
]);

const LegQuery = object({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  offset: optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
});

const checkLegQuery = compileValidator(LegQuery);
const checkLeg = compileValidator(LegAction);
const checkDialIn = compileValidator(DialInRequest);
const checkTextedIn = compileValidator(IncomingTextRequest);
const checkPayment = compileValidator(PaymentAction);
const checkQuery = compileValidator(OutboxSinkQuery);
const checkClock = compileValidator(ClockBody);

/** Adds `/console` and its JSON API. */
export function addConsole(http: FastifyInstance, services: Services): void {
  void http.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (!isLocalRequest(request)) throw new ApiError('not_found');
    });
    const { html, content_security_policy } = writeConsolePage();
    scope.get('/console', async (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', content_security_policy)
        .send(html),
    );
    scope.get('/console/outbox', async (request) => {
      const query = coerceQuery(OutboxSinkQuery, request.query as Record<string, unknown>);
      const fields = checkQuery(query);
      if (fields) invalid(fields);
      const {
        to,
        channel,
        limit = 30,
        offset = 0,
      } = query as { to?: string; channel?: string; limit?: number; offset?: number };
      // A plus that is not escaped arrives as a blank.
      return services.outbox_sink.list({
        ...(to ? { to: to.replace(/^ /, '+') } : {}),
        ...(channel ? { channel } : {}),
        limit,
        offset,
      });
    });
    scope.get('/console/clock', async () => presentClock(services));
    scope.post('/console/clock', async (request) => {
      const fields = checkClock(request.body ?? {});
      if (fields) invalid({ ...fields, body: 'must have exactly one of now, advance_s and reset: true' });
      await moveClock(services, request.body as Record<string, unknown>);
      return presentClock(services);
    });
    scope.get('/console/phone/legs', async (request) => {
      const query = coerceQuery(LegQuery, request.query as Record<string, unknown>);
      const fields = checkLegQuery(query);
      if (fields) invalid(fields);
      return listLegs(services, query as { limit?: number; offset?: number });
    });
    scope.post('/console/phone/legs/:leg_id', async (request) => {
      const fields = checkLeg(request.body ?? {});
      if (fields) invalid(fields);
      const { leg_id } = request.params as { leg_id: string };
      return simulateLeg(services, leg_id, request.body as LegAction);
    });
    scope.get('/console/payments', async () => listCheckouts(services));
    scope.post('/console/payments/:session_id', async (request) => {
      const fields = checkPayment(request.body ?? {});
      if (fields) invalid(fields);
      const { session_id } = request.params as { session_id: string };
      return simulateBuyer(services, session_id, request.body as PaymentAction);
    });
    scope.post('/console/sms', async (request) => {
      const fields = checkTextedIn(request.body ?? {});
      if (fields) invalid(fields);
      return simulateIncomingText(services, request.body as IncomingTextRequest);
    });
    scope.post('/console/phone/calls', async (request, reply) => {
      const fields = checkDialIn(request.body ?? {});
      if (fields) invalid(fields);
      return reply.status(201).send(await dialIn(services, request.body as DialInRequest));
    });
  });
}

function presentClock({ clock }: Services) {
  return { now: wireTime(clock.now()), offset_s: Math.round(clock.offset_ms() / 1000) };
}

async function moveClock({ clock }: Services, body: Record<string, unknown>): Promise<void> {
  if (body['reset']) return clock.reset();
  if (typeof body['advance_s'] === 'number') return clock.advance(body['advance_s']);
  const moment = new Date(String(body['now']));
  if (Number.isNaN(moment.getTime())) invalid({ now: 'is not a valid date and time' });
  return clock.moveTo(moment);
}
