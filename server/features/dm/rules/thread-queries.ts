/** The statements of lists of threads and of their messages. */
import { assignSettings, type SettingsBody } from '../../../domain/chat/chat-settings.ts';
import { selectThreads, type ThreadRow } from '../../../domain/messages/threads.ts';
import { type DirectMessageRow, selectMessagesOfThread } from '../../../domain/messages/direct-messages.ts';
import { mayReadDirectMessage, mayReadThread, maySeeThread } from '../../../domain/visibility/threads.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { join, type Queryable, sql, type Sql } from '../../../kernel/database/database.ts';
import { default_limit, type Page } from '../../../kernel/page.ts';
import type { Static } from '../../../kernel/schema.ts';
import type { folders } from '../schemas.ts';

/** Which threads are listed. */
export type ThreadQuery = Page & { folder?: (typeof folders)[number]; archived?: boolean };

/**
 * The threads of a page, and one more: pinned ones, latest pin first, and then the others by their newest message. A
 * cursor is a thread, or the message by which it was sorted when its page was read.
 */
function pageOfThreads({ before_id, folder, archived = false, ...page }: ThreadQuery, viewer_id: string): Sql {
  const max = (page.limit ?? default_limit) + 1;
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
      where ${listed} and ${of_folder(one)} and d.pinned_at is null ${older} order by d.sort_key desc limit ${max + offset})`;
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
    order by ${in_order} limit ${max} offset ${offset}`;
}

const in_order = sql`d.pinned_at desc nulls last, case when d.pinned_at is not null then d.thread_id end desc, d.sort_key desc`;

/** A page of a person's threads, and one more. */
export function selectThreadPage(db: Queryable, query: ThreadQuery, viewer_id: string): Promise<ThreadRow[]> {
  return selectThreads(
    db,
    sql`d.user_id = ${viewer_id} and d.thread_id = any(array(${pageOfThreads(query, viewer_id)})) order by ${in_order}`,
  );
}

/** Messages of a thread, for a member of it; none for anybody else. */
export function selectMessagesOf(
  db: Queryable,
  thread_id: string,
  viewer: Viewer,
  which: Sql,
): Promise<DirectMessageRow[]> {
  return selectMessagesOfThread(db, thread_id, sql`${mayReadThread(thread_id, viewer.id)} ${which}`, viewer.services);
}

/** Whether a thread has a message that a person may read. */
export async function isInThread(
  db: Queryable,
  { thread_id, message_id }: { thread_id: string; message_id: string },
  viewer_id: string,
): Promise<boolean> {
  const found = await db.run(sql`
    select 1 from dm_messages m
    where m.id = ${message_id} and m.thread_id = ${thread_id} and ${mayReadDirectMessage(viewer_id)}`);
  return found > 0;
}

/** Stores the settings of a thread for one of its two people. */
export async function updateSettings(
  db: Queryable,
  thread_id: string,
  user_id: string,
  settings: Static<typeof SettingsBody>,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update dm_members d set ${assignSettings(settings, now, sql`d`)} where thread_id = ${thread_id} and user_id = ${user_id}`);
}
