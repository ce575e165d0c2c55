import { sql } from '../../kernel/database.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { object, text, Type } from '../../kernel/schema.ts';
import { ImIdentity, presentImIdentity, type ImIdentityRow } from './list-im-identities.ts';

export const addImIdentity = endpoint({
  id: 'addImIdentity',
  route: 'POST /me/im-identities',
  summary: 'Add an IM handle',
  body: object({
    network: Type.String({ pattern: '^[a-z0-9][a-z0-9_.-]{0,31}$', description: 'Such as matrix, signal or xmpp.' }),
    handle: text(1, 200),
  }),
  reply: ImIdentity,
  status: [201, 200],
  async run({ caller, body, db, id, now }) {
    const row = await db.maybe<ImIdentityRow>(sql`
      insert into im_identities (id, user_id, network, handle, created_at)
      values (${id('im')}, ${caller.user_id}, ${body.network}, ${body.handle}, ${now})
      on conflict (user_id, network, lower(handle)) do nothing returning *`);
    if (row) return presentImIdentity(row);
    const known = await db.one<ImIdentityRow>(sql`
      select * from im_identities where user_id = ${caller.user_id} and network = ${body.network} and lower(handle) = lower(${body.handle})`);
    return reply(200, presentImIdentity(known));
  },
});
