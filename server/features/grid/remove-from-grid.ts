import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { gridUpdated } from './schemas.ts';

export const removeFromGrid = endpoint({
  id: 'removeFromGrid',
  route: 'DELETE /grid/members/{contact_id}',
  summary: 'Remove a favourite',
  path: object({ contact_id: idOf('con') }),
  async run({ caller, path, db, emit }) {
    const gone = await db.run(
      sql`delete from grid_members where owner_id = ${caller.user_id} and contact_id = ${path.contact_id}`,
    );
    if (gone === 0) fail('not_found');
    emit(gridUpdated, [`user:${caller.user_id}`], {});
  },
});
