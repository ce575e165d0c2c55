import { lockConcerned, resolveMentions } from '../../domain/social/mentions.ts';
import { requireStatus } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { insertReply, lockAgainstDeletion } from './queries.ts';
import { presentReply, Reply, ReplyBody } from './schemas.ts';
import { emitReply } from './events.ts';

export const postReply = endpoint({
  id: 'postReply',
  route: 'POST /statuses/{post_id}/replies',
  summary: 'Reply to a status',
  throttle: 'reply',
  path: object({ post_id: idOf('post') }),
  body: object({ body: ReplyBody }),
  reply: Reply,
  status: [201],
  is_transactional: true,
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const seen = await requireStatus(db, path.post_id, viewer);
    await lockConcerned(db, body.body, viewer.id, [seen.author.id]);
    await lockAgainstDeletion(db, seen.id);
    const status = await requireStatus(db, path.post_id, viewer);
    const mentions = await resolveMentions(db, body.body, viewer.id);
    const row = await insertReply(change, { status_id: status.id, body: body.body, mentions }, viewer.id);
    await emitReply(change, status, row);
    return presentReply(row, change);
  },
});
