import { revokeSessions } from '../../domain/accounts/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';

export const revokeAllSessions = endpoint({
  id: 'revokeAllSessions',
  route: 'DELETE /auth/sessions',
  summary: 'Sign out everywhere',
  session: 'ends',
  gate: 'token',
  async run({ caller, services, ...change }) {
    await revokeSessions(change, services, caller.user_id);
  },
});
