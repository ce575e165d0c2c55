import { refreshSession as refresh, SignedIn } from '../../domain/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, text } from '../../kernel/schema.ts';

export const refreshSession = endpoint({
  id: 'refreshSession',
  route: 'POST /auth/refresh',
  summary: 'Refresh session token',
  gate: 'public',
  idempotent: false,
  body: object({ refresh_token: text(1, 200) }),
  reply: SignedIn,
  errors: ['token_invalid', 'account_suspended'],
  async run({ body, services, ...change }) {
    return refresh(change, services, body.refresh_token);
  },
});
