import { attachFiles } from '../../domain/files/files.ts';
import { lockConcerned, resolveMentions } from '../../domain/social/mentions.ts';
import {
  presentStatus,
  requireStatus,
  Status,
  status_visibilities,
  statusPosted,
  type StatusRow,
} from '../../domain/social/statuses.ts';
import { viewerOf, type Viewer } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { createRowCache } from '../../kernel/row-cache.ts';
import { idOf, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { emitStatus } from './events.ts';
import { insertLabelledStatus, insertStatus, type NewStatus, type StatusLabels } from './queries.ts';
import { StatusBody } from './schemas.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The cached labels of each author and tag. */
const labels = createRowCache<StatusLabels>(5_000);

const placeOf = ({ tag_id }: NewStatus, author: Viewer) => `${author.id} ${tag_id}`;

/**
 * Inserts a status without files and mentions together with its events and the commit; undefined when its labels are
 * not cached.
 */
function writeFromCache(change: Change, status: NewStatus, author: Viewer): StatusRow | undefined {
  const label_key = placeOf(status, author);
  const known = labels.get(change.services, label_key);
  if (!known) return undefined;
  const written = insertLabelledStatus(change, status, known);
  written.catch(() => labels.delete(change.services, label_key));
  change.awaitAtCommit(written);
  return {
    ...known,
    id: status.id,
    stream_id: status.tag_id ?? author.id,
    body: status.body,
    mentions: [],
    media: [],
    visibility: status.visibility,
    reply_count: 0,
    like_count: 0,
    liked: false,
    edited_at: null,
    created_at: change.now,
  };
}

/** Inserts a status and reads it again. @throws ApiError `validation_failed` */
async function write(change: Change, status: NewStatus, author: Viewer, media: string[]): Promise<StatusRow> {
  const made = await insertStatus(change.db, status, author);
  if (!made) invalid({ tag_id: 'is not one of your tags' });
  labels.set(author.services, placeOf(status, author), { author: made.author, tag: made.tag, hidden: made.hidden });
  await attachFiles(change, { type: 'status', id: made.id }, { owner_id: author.id, file_ids: media });
  return media.length > 0 ? requireStatus(change.db, made.id, author) : made;
}

export const postStatus = endpoint({
  id: 'postStatus',
  route: 'POST /statuses',
  summary: 'Post a status',
  description: 'To the followers of one tag, or of all your tags when none is named.',
  body: object({
    body: StatusBody,
    tag_id: optional(nullable(idOf('tag'))),
    media: optional(Type.Array(idOf('file'), { maxItems: default_limits.status_media })),
    visibility: optional(oneOf(...status_visibilities)),
  }),
  reply: Status,
  status: [201],
  is_transactional: true,
  async run({ body, ...change }) {
    const author = viewerOf(change);
    const media = body.media ?? [];
    await lockConcerned(change.db, body.body, author.id);
    const status = {
      id: change.id('post'),
      tag_id: body.tag_id ?? null,
      body: body.body,
      visibility: body.visibility ?? ('public' as const),
      mentions: await resolveMentions(change.db, body.body, author.id),
      media_count: media.length,
    };
    const is_plain = media.length === 0 && status.mentions.length === 0 && !change.is_retry;
    const row = (is_plain && writeFromCache(change, status, author)) || (await write(change, status, author, media));
    await emitStatus(change, row, statusPosted);
    return presentStatus(row, author);
  },
});
