import { presentTag, readTag, Tag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const getTag = endpoint({
  id: 'getTag',
  route: 'GET /xtags/{xtag_id}',
  summary: 'Get a tag',
  path: object({ xtag_id: idOf('tag') }),
  reply: Tag,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    return presentTag(await readTag(db, path.xtag_id, viewer), viewer);
  },
});
