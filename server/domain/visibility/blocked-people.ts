/** Visibility of the people whom somebody has blocked. */
import { sql } from '../../kernel/database/database.ts';

/**
 * Blocker `b.blocker_id` saw account `u` when they blocked it with `b`. If not, it had blocked them, or was suspended or
 * deleted: they are not told which, and it looks like a deleted user to them.
 */
export const wasSeen = sql`(
  (u.suspended_at is null or u.suspended_at > b.created_at) and (u.deleted_at is null or u.deleted_at > b.created_at)
  and not exists (
    select 1 from blocks back where back.blocker_id = b.blocked_id and back.blocked_id = b.blocker_id and back.id < b.id))`;
