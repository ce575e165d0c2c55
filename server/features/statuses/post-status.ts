import { useFiles } from '../../domain/files/files.ts';
import { presentStatus, requireStatus, resolveMentions, Status, statusPosted } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { emitStatus } from './events.ts';
import { insertStatus } from './queries.ts';
import { StatusBody } from './schemas.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export const postStatus = endpoint({
  id: 'postStatus',
  route: 'POST /statuses',
  summary: 'Post a status',
  description: 'To the followers of one tag, or of all your tags when none is named.',
  body: object({
    body: StatusBody,
    tag_id: optional(nullable(idOf('tag'))),
    media: optional(Type.Array(idOf('file'), { maxItems: default_limits.status_media })),
    visibility: optional(oneOf('public', 'followers')),
  }),
  reply: Status,
  status: [201],
  async run({ body, services, ...change }) {
    const author = viewerOf({ services, ...change });
    const media = body.media ?? [];
    const status = {
      id: change.id('post'),
      tag_id: body.tag_id ?? null,
      body: body.body,
      visibility: body.visibility ?? ('public' as const),
      mentions: await resolveMentions(change.db, body.body, author.id),
      media_count: media.length,
    };
    const made = await insertStatus(change.db, status, author);
    if (!made) invalid({ tag_id: 'is not one of your tags' });
    await useFiles(change.db, author.id, { type: 'status', id: made.id }, media, change.now);
    const row = media.length > 0 ? await requireStatus(change.db, made.id, author) : made;
    await emitStatus(change, services, row, statusPosted);
    return presentStatus(row, author);
  },
});
