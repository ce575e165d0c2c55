import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeBlock } from './queries.ts';

export const deleteBlock = endpoint({
  id: 'deleteBlock',
  route: 'DELETE /blocks/{blocked_user_id}',
  summary: 'Unblock a person',
  description: 'What the block ended is not restored.',
  path: object({ blocked_user_id: idOf('usr') }),
  async run({ path, caller, db }) {
    await lockPair(db, caller.user_id, path.blocked_user_id);
    if (!(await removeBlock(db, caller.user_id, path.blocked_user_id))) fail('not_found');
  },
});
