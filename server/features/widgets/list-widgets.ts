import { presentWidget, selectWidgets, Widget } from '../../domain/widgets/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';

export const listWidgets = endpoint({
  id: 'listWidgets',
  route: 'GET /widgets',
  summary: 'List widgets',
  query: PageQuery('wid'),
  reply: listOf(Widget),
  async run({ caller, query, db }) {
    const which = sql`w.owner_id = ${caller.user_id} and w.deleted_at is null ${pageOf(query, 'w.id')}`;
    return toPage(await selectWidgets(db, which), query, presentWidget);
  },
});
