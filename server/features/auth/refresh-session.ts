import { refreshSession as refresh, SignedIn } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, optional, text } from '../../kernel/schema.ts';

export const refreshSession = endpoint({
  id: 'refreshSession',
  route: 'POST /auth/refresh',
  summary: 'Refresh a session',
  gate: 'public',
  idempotent: false,
  body: object({
    refresh_token: optional(text(1, 200, 'Optional where the browser sends it in its cookie.')),
  }),
  session: 'opens',
  reply: SignedIn,
  errors: ['token_invalid', 'account_suspended'],
  async run({ body, origin, ...change }) {
    const refresh_token = body.refresh_token ?? origin.refresh_cookie ?? invalid({ refresh_token: 'is required' });
    return refresh(change, refresh_token);
  },
});
