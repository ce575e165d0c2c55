import { presentTag, Tag, tagColumns, type TagRow } from '../../domain/social/tags.ts';
import { mayOpenTag } from '../../domain/visibility/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageOf, PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

export const Follow = component('Follow', object({ id: idOf('fol'), tag: Tag, followed_at: moment }));

export const listFollows = endpoint({
  id: 'listFollows',
  route: 'GET /follows',
  summary: 'List the tags you follow',
  query: PageQuery('fol'),
  reply: listOf(Follow),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await db.many<TagRow & { follow_id: string; followed_at: Date }>(sql`
      select ${tagColumns(viewer)}, own.id as follow_id, own.created_at as followed_at
      from follows own join tags t on t.id = own.tag_id join users u on u.id = t.owner_id
      where own.follower_id = ${viewer.id} and ${mayOpenTag(viewer.id)} ${pageOf(query, 'own.id')}`);
    return toPage(rows, query, (row) => ({
      id: row.follow_id,
      tag: presentTag(row, viewer),
      followed_at: wireTime(row.followed_at),
    }));
  },
});
