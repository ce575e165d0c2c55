import { requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { presentWidget, Widget } from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { idOf, listOf, object } from '../../kernel/schema.ts';
import { selectWidgetsOfGroup } from './queries.ts';

export const listGroupWidgets = endpoint({
  id: 'listGroupWidgets',
  route: 'GET /groups/{group_id}/widgets',
  summary: 'List the widgets of a group',
  description: 'For its members.',
  path: object({ group_id: idOf('grp') }),
  query: PageQuery('wid'),
  reply: listOf(Widget),
  async run({ caller, path, query, db }) {
    const [, rows] = await Promise.all([
      requireGroupMembership(db, path.group_id, caller.user_id),
      selectWidgetsOfGroup(db, path.group_id, query),
    ]);
    return toPage(rows, query, presentWidget);
  },
});
