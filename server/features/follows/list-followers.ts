import { presentUser, PublicUser } from '../../domain/accounts/accounts.ts';
import { presentTagLabel, TagLabel } from '../../domain/social/tags.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { selectFollowers } from './queries.ts';

export const Follower = component(
  'Follower',
  object({
    id: idOf('fol'),
    user: PublicUser,
    tags: Type.Array(TagLabel, { maxItems: default_limits.tags, description: 'Which of your tags they follow.' }),
    followed_at: moment,
  }),
);

export const listFollowers = endpoint({
  id: 'listFollowers',
  route: 'GET /followers',
  summary: 'List your followers',
  description: 'People who follow any of your tags, newest first.',
  query: PageQuery('fol'),
  reply: listOf(Follower),
  async run({ caller, query, db, services }) {
    const rows = await selectFollowers(db, caller.user_id, query);
    return toPage(rows, query, ({ id, user, tags, followed_at }) => ({
      id,
      user: presentUser(user, { services }),
      tags: tags.map(presentTagLabel),
      followed_at: wireTime(followed_at),
    }));
  },
});
