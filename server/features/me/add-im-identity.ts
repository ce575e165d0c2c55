import { lockAccount } from '../../domain/accounts/accounts.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { lineText, object, Type } from '../../kernel/schema.ts';
import { ImIdentity, presentImIdentity } from './list-im-identities.ts';
import { insertImIdentity, selectImIdentity } from './queries.ts';

export const addImIdentity = endpoint({
  id: 'addImIdentity',
  route: 'POST /me/im-identities',
  summary: 'Add an IM handle',
  body: object({
    network: Type.String({
      pattern: '^[a-z0-9][a-z0-9_.-]{0,31}$',
      description: 'For example matrix, signal or xmpp.',
    }),
    handle: lineText(1, 200),
  }),
  reply: ImIdentity,
  status: [201, 200],
  errors: ['limit_reached'],
  async run({ caller, body, db, id, now, services }) {
    const max = services.limits.im_identities;
    // Serialised, so that two concurrent requests cannot exceed the limit.
    await lockAccount(db, caller.user_id);
    const row = await insertImIdentity(db, { ...body, id: id('im'), user_id: caller.user_id, created_at: now }, max);
    if (row) return presentImIdentity(row);
    const known = await selectImIdentity(db, caller.user_id, body);
    if (!known)
      return fail('limit_reached', { message: `You can have up to ${max} other accounts. Remove one first.` });
    return reply(200, presentImIdentity(known));
  },
});
