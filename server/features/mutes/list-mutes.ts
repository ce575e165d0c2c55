import { publicUserJson } from '../../domain/accounts/accounts.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { Mute, presentMute, type MuteRow } from './schemas.ts';

export const listMutes = endpoint({
  id: 'listMutes',
  route: 'GET /mutes',
  summary: 'List muted people',
  extension: true,
  query: PageQuery('mute'),
  reply: listOf(Mute),
  async run({ caller, query, db, services }) {
    const rows = await db.many<MuteRow>(sql`
      select m.id, ${publicUserJson('u')} as user, m.created_at from mutes m join users u on u.id = m.muted_id
      where m.user_id = ${caller.user_id} and ${maySeeUser(caller.user_id)} ${pageOf(query, 'm.id')}`);
    return toPage(rows, query, (row) => presentMute(row, services.public_url));
  },
});
