import { SignedIn, signIn } from '../../domain/sessions/sessions.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { hashToken } from '../../kernel/security/secret.ts';
import { closeSentLink } from './queries.ts';

export const consumeMagicLink = endpoint({
  id: 'consumeMagicLink',
  route: 'POST /auth/magic-link/consume',
  summary: 'Sign in with a magic link',
  gate: 'public',
  throttle: 'sign_in_ip',
  idempotent: false,
  body: object({ token: text(1, 200) }),
  session: 'opens',
  reply: SignedIn,
  errors: ['gone', 'account_suspended'],
  async run({ body, origin, ...change }) {
    const link = await closeSentLink(change.db, hashToken(body.token), 'magic', change.now);
    if (!link) fail('gone');
    return signIn(change, link.user_id, origin);
  },
});
