import type { CallRow } from '../../domain/calls/calls.ts';
import { isActorVisible } from '../../domain/visibility/people.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** The people in some calls whom a block or a suspension hides from a person. */
export async function selectBlockedPairs(db: Queryable, user_id: string, calls: CallRow[]): Promise<Set<string>> {
  const ids = calls.flatMap(({ participants }) => participants.flatMap((one) => one.user_id ?? []));
  if (ids.length === 0) return new Set();
  const rows = await db.many<{ id: string }>(
    sql`select u.id from users u where u.id = any(${ids}::text[]) and not ${isActorVisible(user_id, 'u.id')}`,
  );
  return new Set(rows.map(({ id }) => id));
}
