import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { presentUser } from '../../domain/accounts/accounts.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectViews } from './queries.ts';
import { LocationView } from './schemas.ts';

export const listLocationViews = endpoint({
  id: 'listLocationViews',
  route: 'GET /location/views',
  summary: 'List who viewed your location',
  description:
    'Most recent first. Contacts who do not let you find them (`reach.find`) are not listed, unless they follow you or you selected them.',
  extension: true,
  query: PageQuery('view'),
  reply: listOf(LocationView),
  async run({ query, caller, db, services }) {
    const rows = await selectViews(db, caller.user_id, query);
    return toPage(rows, query, ({ id, viewer, link_id, first_at, last_at, count }) => ({
      id,
      viewer: viewer && presentUser(viewer, { services }),
      link_id,
      first_at: wireTime(first_at),
      last_at: wireTime(last_at),
      count,
    }));
  },
});
