import { revokeSessions } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const revokeSession = endpoint({
  id: 'revokeSession',
  route: 'DELETE /auth/sessions/{session_id}',
  summary: 'Revoke a session',
  gate: 'token',
  path: object({ session_id: idOf('ses') }),
  async run({ caller, path, ...change }) {
    const ended = await revokeSessions(change, caller.user_id, path.session_id);
    if (ended.length === 0) fail('not_found');
  },
});
