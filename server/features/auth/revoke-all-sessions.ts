import { closeSignIns } from '../../domain/accounts/challenges.ts';
import { revokeSessions } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';

export const revokeAllSessions = endpoint({
  id: 'revokeAllSessions',
  route: 'DELETE /auth/sessions',
  summary: 'Sign out everywhere',
  description: 'Also invalidates sign-in codes, sign-in links and password reset links that are still open.',
  session: 'ends',
  gate: 'token',
  async run({ caller, ...change }) {
    await closeSignIns(change, caller.user_id);
    await revokeSessions(change, caller.user_id);
  },
});
