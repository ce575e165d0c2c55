import { username_pattern } from '../../domain/accounts/accounts.ts';
import { isReservedName } from '../../domain/accounts/reserved-names.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, oneOf, optional, text, Type } from '../../kernel/schema.ts';
import { isUsernameHeld } from './queries.ts';

export const checkUsername = endpoint({
  id: 'checkUsername',
  route: 'GET /auth/username-available',
  summary: 'Check whether a username is available',
  gate: 'public',
  query: object({ username: text(1, 100) }),
  reply: object({ available: Type.Boolean(), reason: optional(oneOf('invalid', 'reserved', 'taken')) }),
  async run({ query, db, now }) {
    const username = query.username.toLowerCase();
    if (!new RegExp(username_pattern).test(username)) return { available: false, reason: 'invalid' as const };
    if (isReservedName(username)) return { available: false, reason: 'reserved' as const };
    return (await isUsernameHeld(db, username, now))
      ? { available: false, reason: 'taken' as const }
      : { available: true };
  },
});
