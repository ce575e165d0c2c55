import {
  GroupInvite,
  invite_columns,
  invite_states,
  presentInvite,
  type InviteRow,
} from '../../domain/contacts/group-invites.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional } from '../../kernel/schema.ts';

export const listGroupInvites = endpoint({
  id: 'listGroupInvites',
  route: 'GET /group-invites',
  summary: 'List group invites',
  description: 'Pending requests by default.',
  extension: true,
  query: object({ state: optional(oneOf(...invite_states)), ...pageQuery('ginv') }),
  reply: listOf(GroupInvite),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    // Those who have left see no more of the group, whose name may have changed since.
    const state = query.state ?? 'pending';
    const rows = await db.many<InviteRow>(sql`
      select ${invite_columns} from group_invites i join groups g on g.id = i.group_id join users u on u.id = g.owner_id
      where i.user_id = ${viewer.id} and i.state = ${state} and not i.quiet
        and g.deleted_at is null and ${maySeeUser(viewer.id)} ${pageOf(query, 'i.id')}`);
    return toPage(rows, query, (row) => presentInvite(row, viewer));
  },
});
