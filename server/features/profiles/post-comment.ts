import { Comment, presentComment } from '../../domain/social/comments.ts';
import { lockConcerned, resolveMentions } from '../../domain/social/mentions.ts';
import { lockTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { emitComment } from './events.ts';
import { insertComment, requireProfileTag } from './queries.ts';
import { CommentBody, ProfilePath } from './schemas.ts';

export const postComment = endpoint({
  id: 'postComment',
  route: 'POST /profiles/{xtag}/comments',
  summary: 'Post a comment',
  description: 'Where the profile allows comments; its owner always can.',
  throttle: 'reply',
  path: ProfilePath,
  body: object({ body: CommentBody }),
  reply: Comment,
  status: [201],
  errors: ['comments_closed'],
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const seen = await requireProfileTag(db, path.xtag, viewer);
    await lockConcerned(db, body.body, viewer.id, [seen.owner.id]);
    await lockTag(db, seen.id);
    const tag = await requireProfileTag(db, path.xtag, viewer);
    if (!tag.comments_open && tag.owner.id !== viewer.id)
      fail('comments_closed', { message: 'Comments are turned off for this profile.' });
    const mentions = await resolveMentions(db, body.body, viewer.id);
    const row = await insertComment(change, { tag_id: tag.id, body: body.body, mentions }, viewer.id);
    await emitComment(change, tag, row);
    return presentComment(row, change);
  },
});
