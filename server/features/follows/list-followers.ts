import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { presentTagLabel, TagLabel } from '../../domain/social/tags.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';

export const Follower = component(
  'Follower',
  object({
    id: idOf('fol'),
    user: PublicUser,
    tags: Type.Array(TagLabel, { maxItems: default_limits.tags, description: 'Which of your tags they follow.' }),
    followed_at: moment,
  }),
);

type FollowerRow = { id: string; user: PublicUserRow; tags: Static<typeof TagLabel>[]; followed_at: Date };

export const listFollowers = endpoint({
  id: 'listFollowers',
  route: 'GET /followers',
  summary: 'List your followers',
  description: 'People who follow any of your tags, newest first.',
  query: PageQuery('fol'),
  reply: listOf(Follower),
  async run({ caller, query, db, services }) {
    const me = caller.user_id;
    // Sorted by their first follow: sorted by the newest, a person who follows another tag while a reader pages would
    // move and be skipped.
    const rows = await db.many<FollowerRow>(sql`
      select f.id, ${publicUserJson('u')} as user, f.created_at as followed_at, (
        select json_agg(json_build_object('id', t.id, 'name', t.name, 'title', t.title) order by o.id desc)
        from follows o join tags t on t.id = o.tag_id
        where o.owner_id = ${me} and o.follower_id = f.follower_id and t.deleted_at is null) as tags
      from follows f join users u on u.id = f.follower_id
      where f.owner_id = ${me} and ${maySeeUser(me)}
        and exists (select 1 from tags t where t.id = f.tag_id and t.deleted_at is null)
        and not exists (
          select 1 from follows older join tags t on t.id = older.tag_id
          where older.owner_id = f.owner_id and older.follower_id = f.follower_id and older.id < f.id and t.deleted_at is null)
      ${pageOf(query, 'f.id')}`);
    return toPage(rows, query, ({ id, user, tags, followed_at }) => ({
      id,
      user: presentUser(user, services.public_url),
      tags: tags.map(presentTagLabel),
      followed_at: wireTime(followed_at),
    }));
  },
});
