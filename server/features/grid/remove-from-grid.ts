import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { gridUpdated } from './events.ts';
import { removeMember } from './queries.ts';

export const removeFromGrid = endpoint({
  id: 'removeFromGrid',
  route: 'DELETE /grid/members/{contact_id}',
  summary: 'Remove a favourite',
  path: object({ contact_id: idOf('con') }),
  async run({ caller, path, db, emit }) {
    if (!(await removeMember(db, caller.user_id, path.contact_id))) fail('not_found');
    emit(gridUpdated, [`user:${caller.user_id}`], {});
  },
});
