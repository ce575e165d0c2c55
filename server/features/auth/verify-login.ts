import { closeChallenge, Code } from '../../domain/accounts/challenges.ts';
import { SignedIn, signIn } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';

export const verifyLogin = endpoint({
  id: 'verifyLogin',
  route: 'POST /auth/login/verify',
  summary: 'Verify the sign-in code',
  gate: 'public',
  throttle: 'sign_in_ip',
  idempotent: false,
  body: object({ login_id: text(1, 64), code: Code }),
  session: 'opens',
  reply: SignedIn,
  errors: ['gone', 'account_suspended'],
  async run({ body, origin, consume, ...change }) {
    await consume('sign_in', body.login_id);
    const { user_id } = await closeChallenge(change, 'login', body.login_id, body.code);
    return signIn(change, user_id ?? fail('gone'), origin);
  },
});
