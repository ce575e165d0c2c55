import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { Block, presentBlock } from './schemas.ts';
import { selectBlocks } from './queries.ts';

export const listBlocks = endpoint({
  id: 'listBlocks',
  route: 'GET /blocks',
  summary: 'List the people you block',
  query: PageQuery('blk'),
  reply: listOf(Block),
  async run({ caller, query, db, services }) {
    const rows = await selectBlocks(db, caller.user_id, query);
    return toPage(rows, query, (row) => presentBlock(row, { services }));
  },
});
