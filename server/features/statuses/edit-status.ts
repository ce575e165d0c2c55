import { detachFiles, attachFiles } from '../../domain/files/files.ts';
import { lockConcerned, resolveMentions } from '../../domain/social/mentions.ts';
import {
  presentStatus,
  requireStatus,
  Status,
  status_visibilities,
  statusUpdated,
} from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { lockStatus, updateStatus } from './queries.ts';
import { StatusBody } from './schemas.ts';
import { emitStatus } from './events.ts';

export const editStatus = endpoint({
  id: 'editStatus',
  route: 'PATCH /statuses/{post_id}',
  summary: 'Edit a status',
  path: object({ post_id: idOf('post') }),
  body: object({
    body: optional(StatusBody),
    media: optional(Type.Array(idOf('file'), { maxItems: default_limits.status_media })),
    visibility: optional(oneOf(...status_visibilities)),
  }),
  reply: Status,
  errors: ['forbidden'],
  async run({ path, body, ...change }) {
    const author = viewerOf(change);
    const { db, now } = change;
    await lockConcerned(db, body.body ?? (await requireStatus(db, path.post_id, author)).body, author.id);
    await lockStatus(db, path.post_id);
    const before = await requireStatus(db, path.post_id, author);
    if (before.author.id !== author.id) fail('forbidden');
    const text = body.body ?? before.body;
    const mentions = body.body === undefined ? before.mentions : await resolveMentions(db, text, author.id);
    if (body.media) {
      await detachFiles(db, [before.id], now);
      await attachFiles(change, { type: 'status', id: before.id }, { owner_id: author.id, file_ids: body.media });
    }
    await updateStatus(db, before, { body: text, mentions, visibility: body.visibility, media: body.media }, now);
    const row = await requireStatus(db, before.id, author);
    await emitStatus(change, row, statusUpdated);
    return presentStatus(row, author);
  },
});
