import { requireUnreserved } from '../../domain/accounts/reserved-names.ts';
import { name_hold_s, presentTag, requireTag, Tag, TagName } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { after } from '../../kernel/time.ts';
import { orderMedia, renameTag } from './queries.ts';
import { tagSettings } from './schemas.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export const editTag = endpoint({
  id: 'editTag',
  route: 'PATCH /xtags/{xtag_id}',
  summary: 'Edit a tag',
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
  async run({ path, body, db, consume, ...input }) {
    const viewer = viewerOf(input);
    const which = sql`t.id = ${path.xtag_id}`;
    await db.run(sql`select 1 from tags where id = ${path.xtag_id} for update`);
    const tag = await requireTag(db, which, viewer);
    if (tag.owner.id !== viewer.id) fail('forbidden');
    const name = body.name?.toLowerCase() ?? tag.name;
    if (name !== tag.name) {
      requireUnreserved('name', name);
      await consume('tag_name', viewer.id);
      await renameTag(db, tag, name, input.now, after(input.now, name_hold_s));
    }
    if (body.media) await orderMedia(db, tag, body.media);
    await db.run(sql`
      update tags set
        title = coalesce(${body.title ?? null}, title),
        description = coalesce(${body.description ?? null}, description),
        visibility = coalesce(${body.visibility ?? null}, visibility),
        follow_policy = coalesce(${body.follow_policy ?? null}, follow_policy),
        comments_open = coalesce(${body.comments_open ?? null}::boolean, comments_open)
      where id = ${tag.id}`);
    return presentTag(await requireTag(db, which, viewer), viewer);
  },
});
