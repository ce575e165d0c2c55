import { requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { presentWidget, selectWidgets, Widget } from '../../domain/widgets/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';

export const listGroupWidgets = endpoint({
  id: 'listGroupWidgets',
  route: 'GET /groups/{group_id}/widgets',
  summary: 'List the widgets of a group',
  description: 'For its members.',
  path: object({ group_id: idOf('grp') }),
  query: PageQuery('wid'),
  reply: listOf(Widget),
  async run({ caller, path, query, db }) {
    const which = sql`w.group_id = ${path.group_id} and w.deleted_at is null ${pageOf(query, 'w.id')}`;
    const [, rows] = await Promise.all([
      requireGroupMembership(db, path.group_id, caller.user_id),
      selectWidgets(db, which),
    ]);
    return toPage(rows, query, presentWidget);
  },
});
