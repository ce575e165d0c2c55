import { presentSent, resendChallenge, RegistrationSent } from '../../domain/accounts/challenges.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';
import { writeLetter } from '../../domain/delivery/letters.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { selectHolderLocale } from './queries.ts';

export const resendRegistrationCode = endpoint({
  id: 'resendRegistrationCode',
  route: 'POST /auth/register/resend',
  summary: 'Resend the registration code',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ registration_id: text(1, 64) }),
  reply: RegistrationSent,
  status: [202],
  errors: ['gone'],
  async run({ body, consume, origin, ...change }) {
    const row = await resendChallenge(change, 'register', body.registration_id, async ({ channel, address }) => {
      const locale = await selectHolderLocale(change.db, channel, address);
      return locale === undefined ? undefined : writeLetter('already_registered', languageOfLocale(locale), undefined);
    });
    await consumeMessageBudget(consume, { channel: row.channel, to: row.address, ip: origin.ip });
    return { status: 'code_sent' as const, registration_id: row.id, ...presentSent(row) };
  },
});
