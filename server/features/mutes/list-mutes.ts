import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { Mute, presentMute } from './schemas.ts';
import { selectMutes } from './queries.ts';

export const listMutes = endpoint({
  id: 'listMutes',
  route: 'GET /mutes',
  summary: 'List the people you mute',
  extension: true,
  query: PageQuery('mute'),
  reply: listOf(Mute),
  async run({ caller, query, db, services }) {
    const rows = await selectMutes(db, caller.user_id, query);
    return toPage(rows, query, (row) => presentMute(row, { services }));
  },
});
