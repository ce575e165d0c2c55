/**
 * Phone numbers across a block. A blocked person still knows the number: it is neither texted nor rung for them, but
 * every answer is as if it were, so that nobody can find out by trying whose number it is.
 */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import type { ViewerId } from './viewer.ts';

/** A block separates the viewer from the account whose verified number `number` is. Both are columns or parameters. */
export const isNumberBlocked = (viewer_id: ViewerId, number: ViewerId): Sql => sql`exists (
  select 1 from users holder join blocked_pairs on blocked_pairs.other_id = holder.id
  where blocked_pairs.user_id = ${viewer_id} and holder.mobile_number = ${number} and holder.mobile_verified
    and holder.deleted_at is null)`;

/** A block separates the viewer from the account whose verified address `mail` is. Both are columns or parameters. */
export const isMailBlocked = (viewer_id: ViewerId, mail: ViewerId): Sql => sql`exists (
  select 1 from users holder join blocked_pairs on blocked_pairs.other_id = holder.id
  where blocked_pairs.user_id = ${viewer_id} and holder.email = ${mail} and holder.email_verified
    and holder.deleted_at is null)`;

/** Those of some numbers that a block separates from a user. */
export async function selectBlockedNumbers(db: Queryable, user_id: string, numbers: string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await db.many<{ number: string }>(sql`
    select number from unnest(${numbers}::text[]) number where ${isNumberBlocked(user_id, sql`number`)}`);
  return new Set(rows.map(({ number }) => number));
}
