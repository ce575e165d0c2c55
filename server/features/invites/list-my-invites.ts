import { Invite, invite_states, presentInvite } from '../../domain/contacts/invites.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { selectInvites } from './queries.ts';

export const listMyInvites = endpoint({
  id: 'listMyInvites',
  route: 'GET /me/invites',
  summary: 'List your invites',
  description: 'Newest first.',
  query: object({ ...pageQuery('inv'), state: optional(oneOf(...invite_states)) }),
  reply: listOf(Invite),
  async run({ query, caller, db, now, services }) {
    const rows = await selectInvites(db, caller.user_id, query, now);
    return toPage(rows, query, (row) => presentInvite(row, { services }));
  },
});
