import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const removeImIdentity = endpoint({
  id: 'removeImIdentity',
  route: 'DELETE /me/im-identities/{im_id}',
  summary: 'Remove an IM handle',
  path: object({ im_id: idOf('im') }),
  async run({ caller, path, db }) {
    const removed = await db.run(
      sql`delete from im_identities where id = ${path.im_id} and user_id = ${caller.user_id}`,
    );
    if (removed === 0) fail('not_found');
  },
});
