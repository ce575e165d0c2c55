import { lockAccount } from '../../domain/accounts/accounts.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { lineText, object, Type } from '../../kernel/schema.ts';
import { ImIdentity, presentImIdentity, type ImIdentityRow } from './list-im-identities.ts';

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
    const most = services.limits.im_identities;
    // Serialised, so that two concurrent requests cannot exceed the limit.
    await lockAccount(db, caller.user_id);
    const row = await db.maybe<ImIdentityRow>(sql`
      insert into im_identities (id, user_id, network, handle, created_at)
      select ${id('im')}, ${caller.user_id}, ${body.network}, ${body.handle}, ${now}::timestamptz
      where (select count(*) from im_identities where user_id = ${caller.user_id}) < ${most}::int
      on conflict (user_id, network, lower(handle)) do nothing returning *`);
    if (row) return presentImIdentity(row);
    const known = await db.maybe<ImIdentityRow>(sql`
      select * from im_identities where user_id = ${caller.user_id} and network = ${body.network} and lower(handle) = lower(${body.handle})`);
    if (!known)
      return fail('limit_reached', { message: `You can have up to ${most} other accounts. Remove one first.` });
    return reply(200, presentImIdentity(known));
  },
});
