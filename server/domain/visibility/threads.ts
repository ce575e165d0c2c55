/** Visibility of direct-message threads. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { areNotBlocked } from './people.ts';
import type { ViewerId } from './viewer.ts';

/**
 * Side `d` of a thread is the viewer's and visible to them, with their peer `u`, whose messages stay when the account
 * is deleted.
 */
export const maySeeThread = (viewer_id: ViewerId): Sql => sql`(
  d.user_id = ${viewer_id} and d.folder <> 'none' and u.suspended_at is null and ${areNotBlocked(viewer_id, 'd.peer_id')})`;

/**
 * The viewer is one of the two people of a thread and sees it: evaluated once per statement, before everything else.
 */
export const isMember = (id: string, viewer_id: ViewerId): Sql => sql`(
  select exists (
    select 1 from dm_members d join users u on u.id = d.peer_id where d.thread_id = ${id} and ${maySeeThread(viewer_id)}))`;

/** What is newer than this, the person of side `d` of a thread has not cleared for themselves. */
const cleared_up_to = sql`coalesce(d.cleared_up_to, '')`;

/** The viewer may read message `m` of a thread: one of its two people, who has not cleared it for themselves. */
export const mayReadDirectMessage = (viewer_id: ViewerId): Sql => sql`exists (
  select 1 from dm_members d join users u on u.id = d.peer_id
  where d.thread_id = m.thread_id and ${maySeeThread(viewer_id)} and m.id > ${cleared_up_to})`;

/** The same for messages `m` of one thread: evaluated once per statement, as where an index begins. */
export const mayReadThread = (id: string, viewer_id: ViewerId): Sql => sql`m.id > (
  select ${cleared_up_to} from dm_members d join users u on u.id = d.peer_id
  where d.thread_id = ${id} and ${maySeeThread(viewer_id)})`;
