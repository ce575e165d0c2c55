import { presentThread, selectThreads, Thread } from '../../domain/messages/threads.ts';
import { maySeeThread } from '../../domain/visibility/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql, type Sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idPattern } from '../../kernel/id.ts';
import { default_limit, offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { folders } from './schemas.ts';

/** What is older than a thread, or than the message by which a thread stood where it did when its page was read. */
function olderThan(before_id: string, user_id: string): Sql {
  const place = before_id.slice(before_id.indexOf('_') + 1);
  return sql`and d.place < coalesce(
    (select c.place from dm_members c where c.thread_id = ${before_id} and c.user_id = ${user_id}), ${place})`;
}

export const listThreads = endpoint({
  id: 'listThreads',
  route: 'GET /dm/threads',
  summary: 'List threads',
  description: 'Most recent message first.',
  query: object({
    folder: optional({
      ...oneOf(...folders),
      description:
        '`requests` wait for your answer, `declined` had it, `main` are the others. Without it: main and requests.',
    }),
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('thr')}|${idPattern('dm')}`,
        description:
          'Only what is older than this thread, or than this `last_message`: the latter is exact also when the thread has moved up meanwhile.',
      }),
    ),
  }),
  reply: listOf(Thread),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const folder = query.folder ? sql`d.folder = ${query.folder}` : sql`d.folder in ('main', 'requests')`;
    const older = query.before_id === undefined ? sql`` : olderThan(query.before_id, viewer.id);
    const rows = await selectThreads(
      db,
      sql`${maySeeThread(viewer.id)} and ${folder} ${older}
        order by d.place desc limit ${(query.limit ?? default_limit) + 1} offset ${query.offset ?? 0}`,
    );
    return toPage(rows, query, (row) => presentThread(row, viewer));
  },
});
