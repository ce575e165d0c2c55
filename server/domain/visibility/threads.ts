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
