import { presentUser, publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { Block } from './schemas.ts';

export const listBlocks = endpoint({
  id: 'listBlocks',
  route: 'GET /blocks',
  summary: 'List blocked people',
  query: PageQuery('blk'),
  reply: listOf(Block),
  async run({ caller, query, db, services }) {
    const rows = await db.many<{ id: string; user: PublicUserRow; created_at: Date }>(sql`
      select b.id, ${publicUserJson('u')} as user, b.created_at from blocks b join users u on u.id = b.blocked_id
      where b.blocker_id = ${caller.user_id} and u.deleted_at is null ${pageOf(query, 'b.id')}`);
    return toPage(rows, query, ({ id, user, created_at }) => ({
      id,
      user: presentUser(user, services.public_url),
      created_at: wireTime(created_at),
    }));
  },
});
