import { followNow, lockFollows } from '../../domain/social/follows.ts';
import { askToFollow, FollowRequest, presentOutgoing } from '../../domain/social/follow-requests.ts';
import { lockTag, requireTag } from '../../domain/social/tags.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { component, idOf, object, oneOf, optional, text } from '../../kernel/schema.ts';
import { countFollows } from './rules/follow-queries.ts';

export const Following = component(
  'Following',
  object({ state: oneOf('following', 'requested'), request: optional(FollowRequest) }),
);

export const followTag = endpoint({
  id: 'followTag',
  route: 'PUT /xtags/{xtag_id}/follow',
  summary: 'Follow a tag',
  description: 'For a tag that approves its followers, this creates a follow request instead.',
  path: object({ xtag_id: idOf('tag') }),
  body: object({ message: optional(text(0, 300, 'Shown to the owner of a tag that approves its followers.')) }),
  reply: Following,
  status: [200, 202],
  errors: ['self_not_allowed', 'limit_reached'],
  async run({ path, body, ...change }) {
    const viewer = viewerOf(change);
    const seen = await requireTag(change.db, path.xtag_id, viewer);
    if (seen.owner.id === viewer.id) fail('self_not_allowed', { message: 'You cannot follow your own tag.' });
    // One round trip. The statements run in this order, so that the last one sees what the others have waited for.
    const [, , , tag] = await Promise.all([
      lockPair(change.db, viewer.id, seen.owner.id),
      lockFollows(change.db, viewer.id),
      lockTag(change.db, seen.id),
      requireTag(change.db, seen.id, viewer),
    ]);
    if (tag.following) return { state: 'following' as const };
    const limit = change.services.limits.follows;
    if (!tag.requested && (await countFollows(change, viewer.id)) >= limit)
      fail('limit_reached', { message: `You can follow up to ${limit} tags.` });
    if (tag.follow_policy === 'open') {
      await followNow(change, tag, viewer.id);
      return { state: 'following' as const };
    }
    const request = await askToFollow(change, tag, viewer.id, body.message ?? '');
    return reply(202, { state: 'requested', request: presentOutgoing(request, change) });
  },
});
