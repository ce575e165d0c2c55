import { presentUser, PublicUser } from '../../domain/accounts/accounts.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectFollowers } from './rules/follow-queries.ts';

export const TagFollower = component('TagFollower', object({ id: idOf('fol'), user: PublicUser, followed_at: moment }));

export const listTagFollowers = endpoint({
  id: 'listTagFollowers',
  route: 'GET /xtags/{xtag_id}/followers',
  summary: 'List the followers of a tag',
  description: 'Newest first.',
  path: object({ xtag_id: idOf('tag') }),
  query: PageQuery('fol'),
  reply: listOf(TagFollower),
  async run({ path, query, db, ...input }) {
    const viewer = viewerOf(input);
    await requireTag(db, path.xtag_id, viewer);
    const rows = await selectFollowers(db, path.xtag_id, viewer, query);
    return toPage(rows, query, ({ id, user, followed_at }) => ({
      id,
      user: presentUser(user, input),
      followed_at: wireTime(followed_at),
    }));
  },
});
