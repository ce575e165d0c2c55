import { removeFromCallsForFollowers, removeFromRoomsOfTags } from '../../domain/calls/leave-places.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { removeFollows } from './queries.ts';

export const removeFollower = endpoint({
  id: 'removeFollower',
  route: 'DELETE /followers/{follower_user_id}',
  summary: 'Remove a follower',
  description:
    'Removes their follows of all your tags. They leave your calls that only followers may join, and those in the rooms of such tags.',
  path: object({ follower_user_id: idOf('usr') }),
  async run({ path, caller, ...change }) {
    await lockPair(change.db, caller.user_id, path.follower_user_id);
    const gone = await removeFollows(change, path.follower_user_id, caller.user_id);
    if (gone.length === 0) fail('not_found');
    const tag_ids = gone.map(({ tag_id }) => tag_id);
    await removeFromRoomsOfTags(change, tag_ids, path.follower_user_id);
    await removeFromCallsForFollowers(change, caller.user_id, path.follower_user_id);
  },
});
