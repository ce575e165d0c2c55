import { findAccount, foldIdentifier } from '../../domain/accounts/accounts.ts';
import { LoginCodeSent, openChallenge, presentSent } from '../../domain/accounts/challenges.ts';
import { consumeMessageBudget } from '../../domain/delivery/delivery.ts';
import { countGuess } from '../../domain/accounts/sign-in-guesses.ts';
import { refuseSuspended, SignedIn, signIn } from '../../domain/sessions/sessions.ts';
import { isPassword } from '../../kernel/security/hashing.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import { object, text, Type } from '../../kernel/schema.ts';
import { lockPassword } from './queries.ts';

export const login = endpoint({
  id: 'login',
  route: 'POST /auth/login',
  summary: 'Sign in',
  gate: 'public',
  throttle: 'sign_in_ip',
  idempotent: false,
  body: object({ username: text(1, 254), password: text(1, 128) }),
  session: 'opens',
  reply: Type.Union([LoginCodeSent, SignedIn]),
  errors: ['invalid_credentials', 'account_suspended'],
  async prepare({ body, consume, origin, services }) {
    const networks = networksOf(origin.ip);
    services.hashing.requireRoom(networks);
    const user = await findAccount(services.db, body.username);
    await countGuess(consume, services, { name: foldIdentifier(body.username), user_id: user?.id, origin });
    const right = await isPassword(services, networks, user?.password_hash, body.password);
    if (!user || !right) fail('invalid_credentials');
    refuseSuspended(user);
    if (user.email_verified && user.email)
      await consumeMessageBudget(consume, { channel: 'email', to: user.email, ip: origin.ip, by_password: true });
    return user;
  },
  async run({ prepared: user, origin, ...change }) {
    if (!(await lockPassword(change.db, user))) fail('invalid_credentials');
    if (!user.email_verified || !user.email) return signIn(change, user.id, origin);
    const row = await openChallenge(change, {
      purpose: 'login',
      user_id: user.id,
      channel: 'email',
      address: user.email,
      locale: user.locale,
    });
    return { status: 'otp_required' as const, login_id: row.id, ...presentSent(row) };
  },
});
