import { presentThread, selectThreads, Thread } from '../../domain/messages/threads.ts';
import { maySeeThread } from '../../domain/visibility/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { join, sql, type Sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { idPattern } from '../../kernel/id.ts';
import { default_limit, offsetQuery, toPage, type Page } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { folders } from './schemas.ts';

type ThreadQuery = Page & { folder?: (typeof folders)[number]; archived?: boolean };

/**
 * The threads of a page, and one more: pinned ones, latest pin first, and then the others by their newest message. A
 * cursor is a thread, or the message by which it was sorted when its page was read.
 */
function pageOfThreads({ before_id, folder, archived = false, ...page }: ThreadQuery, viewer_id: string): Sql {
  const most = (page.limit ?? default_limit) + 1;
  const offset = page.offset ?? 0;
  const of_folders = folder ? [folder] : (['main', 'requests'] as const);
  const of_folder = (one: string) => sql`d.folder = ${one}`;
  const listed = sql`${maySeeThread(viewer_id)} and ${archived ? sql`d.archived` : sql`not d.archived`}`;
  const id = before_id ?? '';
  const is_thread = id.startsWith('thr_');
  const pinned_after =
    before_id === undefined
      ? sql`true`
      : sql`(d.pinned_at, d.thread_id) < (select c.pinned_at, c.thread_id from cursor c where c.pinned_at is not null)`;
  // Unpinned threads follow pinned ones: "~" sorts after every position.
  const older =
    before_id === undefined
      ? sql``
      : sql`and d.sort_key < coalesce((select case when c.pinned_at is not null then '~' when ${is_thread}::boolean then c.sort_key end
          from cursor c), ${id.slice(id.indexOf('_') + 1)})`;
  // One subquery per folder, each in the order of an index.
  const newestOf = (one: string) => sql`
    (select d.thread_id, null, d.sort_key from dm_members d join users u on u.id = d.peer_id
      where ${listed} and ${of_folder(one)} and d.pinned_at is null ${older} order by d.sort_key desc limit ${most + offset})`;
  return sql`
    with cursor as materialized (
      select c.thread_id, c.pinned_at, c.sort_key from dm_members c
      where c.user_id = ${viewer_id}
        and c.thread_id = coalesce((select m.thread_id from dm_messages m where m.id = ${id}), ${id}))
    select thread_id from (
      (select d.thread_id, d.pinned_at, d.sort_key from dm_members d join users u on u.id = d.peer_id
        where ${listed} and (${join(of_folders.map(of_folder), ' or ')}) and d.pinned_at is not null and ${pinned_after})
      union all
      ${join(of_folders.map(newestOf), ' union all ')}) d
    order by ${in_order} limit ${most} offset ${offset}`;
}

const in_order = sql`d.pinned_at desc nulls last, case when d.pinned_at is not null then d.thread_id end desc, d.sort_key desc`;

export const listThreads = endpoint({
  id: 'listThreads',
  route: 'GET /dm/threads',
  summary: 'List threads',
  description: 'Pinned threads first, then by the most recent message.',
  query: object({
    folder: optional({
      ...oneOf(...folders),
      description:
        '`requests`: waiting for your answer; `declined`: requests you declined; `main`: all others. By default `main` and `requests`.',
    }),
    archived: optional(Type.Boolean({ description: 'Archived threads only; without it, all others.' })),
    ...offsetQuery,
    before_id: optional(
      Type.String({
        pattern: `${idPattern('thr')}|${idPattern('dm')}`,
        description:
          'Only items older than this thread, or than this `last_message`; the latter remains exact when the thread has moved up in the meantime.',
      }),
    ),
  }),
  reply: listOf(Thread),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectThreads(
      db,
      sql`d.user_id = ${viewer.id} and d.thread_id = any(array(${pageOfThreads(query, viewer.id)})) order by ${in_order}`,
    );
    return toPage(rows, query, (row) => presentThread(row, viewer));
  },
});
