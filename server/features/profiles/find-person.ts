import { presentUser, PublicUser } from '../../domain/accounts/accounts.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { listOf, object, text } from '../../kernel/schema.ts';
import { selectFindable } from './queries.ts';

export const findPerson = endpoint({
  id: 'findPerson',
  route: 'GET /people',
  summary: 'Find a person by username',
  description: 'One item, or none: for a name that nobody has, and for people whose reach `find` excludes you.',
  extension: true,
  query: object({ username: text(1, 100, 'Their whole username.') }),
  reply: listOf(PublicUser),
  async run({ query, db, consume, ...input }) {
    const viewer = viewerOf(input);
    await consume('person_search', viewer.id);
    const found = await selectFindable(db, query.username.trim().toLowerCase(), viewer);
    return { items: found.map(({ user }) => presentUser(user, input)), has_more: false };
  },
});
