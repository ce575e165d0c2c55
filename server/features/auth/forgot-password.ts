import { normaliseNumber } from '../../kernel/formats/phone.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';
import { sendLink } from './jobs.ts';
import { Accepted } from '../../domain/accounts/challenges.ts';

export const forgotPassword = endpoint({
  id: 'forgotPassword',
  route: 'POST /auth/forgot',
  summary: 'Request a password reset',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ identifier: text(1, 254, 'A username, e-mail address or mobile number.') }),
  reply: Accepted,
  status: [202],
  async run({ body, services, consume, origin, enqueue }) {
    const identifier = body.identifier.trim().toLowerCase();
    const number = normaliseNumber(identifier);
    await consumeMessageBudget(consume, { channel: number ? 'sms' : 'email', to: number ?? identifier, ip: origin.ip });
    enqueue(sendLink, { purpose: 'reset', sealed_identifier: services.secrets.seal(identifier) });
    return { status: 'accepted' as const };
  },
});
