import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { deleteTagContent } from './rules/delete-content.ts';
import { lockOwnTag } from './queries.ts';

export const deleteTag = endpoint({
  id: 'deleteTag',
  route: 'DELETE /xtags/{xtag_id}',
  summary: 'Delete a tag',
  description: 'Its follows, statuses and comments are deleted with it.',
  path: object({ xtag_id: idOf('tag') }),
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const tag = await lockOwnTag(change.db, path.xtag_id, viewer);
    await deleteTagContent(change, { ...tag, owner_id: viewer.id });
  },
});
