import { requireAccount } from '../../domain/accounts/accounts.ts';
import { endCallsOf } from '../../domain/calls/leave-calls.ts';
import { deleteAccountContent } from './rules/delete-account.ts';
import { isPassword } from '../../kernel/security/hashing.ts';
import { revokeSessions } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { removeBlob } from './jobs.ts';
import { eraseAccount } from './queries.ts';

export const deleteMe = endpoint({
  id: 'deleteMe',
  route: 'DELETE /me',
  summary: 'Delete your account',
  session: 'ends',
  gate: 'token',
  body: object({ password: text(1, 128) }),
  async prepare({ caller, body, services, consume }) {
    await consume('sign_in', caller.user_id);
    const user = await requireAccount(services.db, caller.user_id);
    if (!(await isPassword(services, caller.user_id, user.password_hash, body.password)))
      invalid({ password: 'is incorrect' });
    return user;
  },
  async run({ caller, prepared: user, ...change }) {
    await endCallsOf(change, caller.user_id);
    await revokeSessions(change, caller.user_id);
    await eraseAccount(change.db, user, change.now);
    await deleteAccountContent(change, caller.user_id);
    if (user.avatar_key) change.enqueue(removeBlob, { key: `avatars/${user.avatar_key}` });
  },
});
