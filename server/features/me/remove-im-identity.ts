import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteImIdentity } from './queries.ts';

export const removeImIdentity = endpoint({
  id: 'removeImIdentity',
  route: 'DELETE /me/im-identities/{im_id}',
  summary: 'Remove an IM handle',
  path: object({ im_id: idOf('im') }),
  async run({ caller, path, db }) {
    if (!(await deleteImIdentity(db, path.im_id, caller.user_id))) fail('not_found');
  },
});
