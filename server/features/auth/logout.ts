import { revokeSessions } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';

export const logout = endpoint({
  id: 'logout',
  route: 'POST /auth/logout',
  summary: 'Sign out',
  session: 'ends',
  gate: 'token',
  async run({ caller, ...change }) {
    await revokeSessions(change, caller.user_id, caller.session_id);
  },
});
