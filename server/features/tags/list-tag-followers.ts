import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { requireTag } from '../../domain/social/tags.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

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
    await requireTag(db, sql`t.id = ${path.xtag_id}`, viewer);
    const rows = await db.many<{ id: string; user: PublicUserRow; followed_at: Date }>(sql`
      select f.id, ${publicUserJson('u')} as user, f.created_at as followed_at
      from follows f join users u on u.id = f.follower_id
      where f.tag_id = ${path.xtag_id} and ${maySeeUser(viewer.id)} ${pageOf(query, 'f.id')}`);
    return toPage(rows, query, ({ id, user, followed_at }) => ({
      id,
      user: presentUser(user, input.services.public_url),
      followed_at: wireTime(followed_at),
    }));
  },
});
