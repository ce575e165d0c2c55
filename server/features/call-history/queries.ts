import type { CallRow } from '../../domain/conferences.ts';
import { sql, type Queryable } from '../../kernel/database.ts';

/** Which of those in some calls a block keeps from a person. */
export async function selectApart(db: Queryable, user_id: string, calls: CallRow[]): Promise<Set<string>> {
  const ids = calls.flatMap(({ participants }) => participants.flatMap((one) => one.user_id ?? []));
  if (ids.length === 0) return new Set();
  const rows = await db.many<{ id: string }>(
    sql`select other_id as id from apart where user_id = ${user_id} and other_id = any(${ids}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
}
