import { presentSent, resendChallenge, LoginCodeSent } from '../../domain/accounts/challenges.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';

export const resendLoginCode = endpoint({
  id: 'resendLoginCode',
  route: 'POST /auth/login/resend',
  summary: 'Resend the sign-in code',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ login_id: text(1, 64) }),
  reply: LoginCodeSent,
  status: [202],
  errors: ['gone'],
  async run({ body, consume, origin, ...change }) {
    const row = await resendChallenge(change, 'login', body.login_id);
    await consumeMessageBudget(consume, { channel: row.channel, to: row.address, ip: origin.ip, by_password: true });
    return { status: 'otp_required' as const, login_id: row.id, ...presentSent(row) };
  },
});
