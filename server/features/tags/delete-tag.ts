import { deleteTagContent } from './rules/delete-content.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const deleteTag = endpoint({
  id: 'deleteTag',
  route: 'DELETE /xtags/{xtag_id}',
  summary: 'Delete a tag',
  description: 'Its follows, statuses and comments are deleted with it.',
  path: object({ xtag_id: idOf('tag') }),
  errors: ['forbidden'],
  async run({ path, services, ...change }) {
    const viewer = viewerOf({ services, ...change });
    await change.db.run(sql`select 1 from tags where id = ${path.xtag_id} for update`);
    const tag = await requireTag(change.db, sql`t.id = ${path.xtag_id}`, viewer);
    if (tag.owner.id !== viewer.id) fail('forbidden');
    await deleteTagContent(change, services, { ...tag, owner_id: viewer.id });
  },
});
