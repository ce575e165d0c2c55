import { few_members, Group, groupColumns, presentGroup, type GroupRow } from '../../domain/contacts/groups.ts';
import { mayOpenGroup } from '../../domain/visibility/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listGroups = endpoint({
  id: 'listGroups',
  route: 'GET /groups',
  summary: 'List groups',
  description: 'Groups you own or belong to, newest first.',
  query: PageQuery('grp'),
  reply: listOf(Group),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    // Own groups and memberships are one index lookup each; only the groups of the page are read completely.
    const rows = await db.many<GroupRow>(sql`
      select ${groupColumns(viewer.id, few_members)} from (
        select g.id from (
          select id from groups where owner_id = ${viewer.id} and deleted_at is null
          union all
          select group_id from group_invites where user_id = ${viewer.id} and state = 'accepted') mine
        join groups g on g.id = mine.id join users u on u.id = g.owner_id
        where ${mayOpenGroup(viewer.id)} ${pageOf(query, 'g.id')}) page
      join groups g on g.id = page.id join users u on u.id = g.owner_id order by g.id desc`);
    return toPage(rows, query, (row) => presentGroup(row, viewer));
  },
});
