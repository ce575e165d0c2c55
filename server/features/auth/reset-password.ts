import { Password, requireAccount } from '../../domain/accounts/accounts.ts';
import { closeSignIns } from '../../domain/accounts/challenges.ts';
import { requireGoodPassword } from '../../domain/accounts/passwords.ts';
import { refuseSuspended, revokeSessions } from '../../domain/sessions/sessions.ts';
import { hashPassword } from '../../kernel/security/hashing.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import { object, text } from '../../kernel/schema.ts';
import { hashToken } from '../../kernel/security/secret.ts';
import { closeSentLink, setPassword } from './queries.ts';

export const resetPassword = endpoint({
  id: 'resetPassword',
  route: 'POST /auth/reset',
  summary: 'Reset your password',
  gate: 'public',
  throttle: 'sign_in_ip',
  body: object({ token: text(1, 200), password: Password }),
  errors: ['gone', 'account_suspended'],
  async prepare({ body, origin, services }) {
    const networks = networksOf(origin.ip);
    services.hashing.requireRoom(networks);
    await requireGoodPassword('password', body.password, '');
    return hashPassword(services, networks, body.password);
  },
  async run({ body, prepared: password_hash, ...change }) {
    const link = await closeSentLink(change.db, hashToken(body.token), 'reset', change.now);
    if (!link) fail('gone');
    const user = await requireAccount(change.db, link.user_id);
    refuseSuspended(user);
    await requireGoodPassword('password', body.password, user.username);
    // Before the account is locked, in the same order as requests that use a code or a link.
    await closeSignIns(change, user.id);
    await setPassword(change.db, user.id, password_hash);
    await revokeSessions(change, user.id);
  },
});
