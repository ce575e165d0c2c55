import { GroupInvite, invite_states, presentInvite } from '../../domain/contacts/group-invites.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';
import { selectInvites } from './queries.ts';

export const listGroupInvites = endpoint({
  id: 'listGroupInvites',
  route: 'GET /group-invites',
  summary: 'List your group invites',
  description: 'Pending requests by default.',
  extension: true,
  query: object({ state: optional(oneOf(...invite_states)), ...pageQuery('ginv') }),
  reply: listOf(GroupInvite),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectInvites(db, viewer.id, { ...query, state: query.state ?? 'pending' });
    return toPage(rows, query, (row) => presentInvite(row, viewer));
  },
});
