import { Email } from '../../domain/accounts/accounts.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';
import { sendLink } from './jobs.ts';
import { Accepted } from '../../domain/accounts/challenges.ts';

export const sendMagicLink = endpoint({
  id: 'sendMagicLink',
  route: 'POST /auth/magic-link',
  summary: 'Send a magic sign-in link',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ email: Email }),
  reply: Accepted,
  status: [202],
  async run({ body, services, consume, origin, enqueue }) {
    const email = body.email.toLowerCase();
    await consumeMessageBudget(consume, { channel: 'email', to: email, ip: origin.ip });
    enqueue(sendLink, { purpose: 'magic', sealed_identifier: services.secrets.seal(email) });
    return { status: 'accepted' as const };
  },
});
