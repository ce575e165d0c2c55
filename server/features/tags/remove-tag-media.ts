import { detachFiles } from '../../domain/files/files.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { countMedia, lockForEdit } from './queries.ts';

export const removeTagMedia = endpoint({
  id: 'removeTagMedia',
  route: 'DELETE /xtags/{xtag_id}/media/{file_id}',
  summary: 'Remove media from a tag',
  path: object({ xtag_id: idOf('tag'), file_id: idOf('file') }),
  errors: ['forbidden'],
  async run({ path, db, now, ...input }) {
    const viewer = viewerOf({ now, ...input });
    await lockForEdit(db, path.xtag_id);
    const tag = await requireTag(db, path.xtag_id, viewer);
    if (!tag.media.some(({ id }) => id === path.file_id)) fail('not_found');
    if (tag.owner.id !== viewer.id) fail('forbidden');
    await detachFiles(db, [tag.id], now, path.file_id);
    await countMedia(db, tag.id, -1);
  },
});
