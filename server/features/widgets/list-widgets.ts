import { presentWidget, Widget } from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectWidgetsOf } from './queries.ts';

export const listWidgets = endpoint({
  id: 'listWidgets',
  route: 'GET /widgets',
  summary: 'List your widgets',
  query: PageQuery('wid'),
  reply: listOf(Widget),
  async run({ caller, query, db }) {
    return toPage(await selectWidgetsOf(db, caller.user_id, query), query, presentWidget);
  },
});
