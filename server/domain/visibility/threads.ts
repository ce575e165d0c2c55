/** Who may see a thread. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { areTogether } from './people.ts';
import type { ViewerId } from './viewer.ts';

/**
 * Side `d` of a thread is the viewer's, and they see it: with their peer `u`, whose words stay also when the account is
 * gone.
 */
export const maySeeThread = (viewer_id: ViewerId): Sql => sql`(
  d.user_id = ${viewer_id} and d.folder <> 'none' and u.suspended_at is null and ${areTogether(viewer_id, 'd.peer_id')})`;

/** That a person is one of the two of a thread and sees it: found out once for a statement, before all else. */
export const isMember = (id: string, viewer_id: ViewerId): Sql => sql`(
  select exists (
    select 1 from dm_members d join users u on u.id = d.peer_id where d.thread_id = ${id} and ${maySeeThread(viewer_id)}))`;
