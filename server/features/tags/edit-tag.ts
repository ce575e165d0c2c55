import { removeUnentitledFromRoomOf } from '../../domain/calls/leave-places.ts';
import { requireUnreserved } from '../../domain/accounts/reserved-names.ts';
import { name_hold_s, presentTag, requireTag, Tag, TagName } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { after } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { lockOwnTag, orderMedia, renameTag, updateTag } from './queries.ts';
import { tagSettings } from './schemas.ts';

export const editTag = endpoint({
  id: 'editTag',
  route: 'PATCH /xtags/{xtag_id}',
  summary: 'Edit a tag',
  description: 'When it is made private, those who do not follow it leave the call in its room.',
  path: object({ xtag_id: idOf('tag') }),
  body: object({
    name: optional(TagName),
    ...tagSettings,
    media: optional(
      Type.Array(idOf('file'), {
        maxItems: default_limits.tag_media,
        description: 'All of its media, each once, in the new order.',
      }),
    ),
  }),
  reply: Tag,
  errors: ['forbidden', 'tag_taken'],
  async run({ path, body, consume, ...change }) {
    const { db, now } = change;
    const viewer = viewerOf(change);
    const tag = await lockOwnTag(db, path.xtag_id, viewer);
    const name = body.name?.toLowerCase() ?? tag.name;
    if (name !== tag.name) {
      requireUnreserved('name', name);
      await consume('tag_name', viewer.id);
      await renameTag(db, tag, name, now, after(now, name_hold_s));
    }
    if (body.media) await orderMedia(db, tag, body.media);
    await updateTag(db, tag.id, body);
    if (body.visibility === 'private') await removeUnentitledFromRoomOf(change, tag.id);
    return presentTag(await requireTag(db, tag.id, viewer), viewer);
  },
});
