import { Password, requireAccount } from '../../domain/accounts/accounts.ts';
import { closeSignIns } from '../../domain/accounts/challenges.ts';
import { requireGoodPassword } from '../../domain/accounts/passwords.ts';
import { SignedIn, signIn, revokeSessions } from '../../domain/sessions/sessions.ts';
import { hashPassword, isPassword } from '../../kernel/security/hashing.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { replacePassword } from './queries.ts';

export const changePassword = endpoint({
  id: 'changePassword',
  route: 'PUT /me/password',
  summary: 'Change your password',
  gate: 'token',
  body: object({ current_password: text(1, 128), new_password: Password }),
  session: 'opens',
  reply: SignedIn,
  async prepare({ caller, body, services, consume }) {
    services.hashing.requireRoom(caller.user_id);
    await consume('sign_in', caller.user_id);
    const user = await requireAccount(services.db, caller.user_id);
    await requireGoodPassword('new_password', body.new_password, user.username);
    if (!(await isPassword(services, caller.user_id, user.password_hash, body.current_password)))
      invalid({ current_password: 'is incorrect' });
    return { old_hash: user.password_hash, new_hash: await hashPassword(services, caller.user_id, body.new_password) };
  },
  async run({ caller, prepared, origin, ...change }) {
    // Before the account is locked, in the same order as requests that use a code or a link.
    await closeSignIns(change, caller.user_id);
    // Of two concurrent changes the second fails, since its current password is no longer right.
    if (!(await replacePassword(change.db, caller.user_id, prepared))) invalid({ current_password: 'is incorrect' });
    await revokeSessions(change, caller.user_id);
    return signIn(change, caller.user_id, origin);
  },
});
