import { presentSent, resendChallenge } from '../../domain/accounts/challenges.ts';
import { takeMessageBudget } from '../../domain/messages/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';
import { alreadyRegistered } from './jobs.ts';
import { isAddressTaken } from './queries.ts';
import { RegistrationSent } from '../../domain/accounts/challenges.ts';

export const resendRegistrationCode = endpoint({
  id: 'resendRegistrationCode',
  route: 'POST /auth/register/resend',
  summary: 'Resend registration code',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ registration_id: text(1, 64) }),
  reply: RegistrationSent,
  status: [202],
  errors: ['gone'],
  async run({ body, services, take, origin, ...change }) {
    const row = await resendChallenge(
      change,
      services,
      'register',
      'registration_id',
      body.registration_id,
      async ({ channel, address }) =>
        (await isAddressTaken(change.db, channel, address)) ? alreadyRegistered : undefined,
    );
    await takeMessageBudget(take, { channel: row.channel, to: row.address, ip: origin.ip });
    return { status: 'code_sent' as const, registration_id: row.id, ...presentSent(row) };
  },
});
