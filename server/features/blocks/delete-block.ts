import { lockPair } from '../../domain/visibility/pairs.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteBlock = endpoint({
  id: 'deleteBlock',
  route: 'DELETE /blocks/{blocked_user_id}',
  summary: 'Unblock a person',
  description: 'What the block ended is not restored.',
  path: object({ blocked_user_id: idOf('usr') }),
  async run({ path, caller, db }) {
    await lockPair(db, caller.user_id, path.blocked_user_id);
    const gone = await db.run(
      sql`delete from blocks where blocker_id = ${caller.user_id} and blocked_id = ${path.blocked_user_id}`,
    );
    if (gone === 0) fail('not_found');
  },
});
