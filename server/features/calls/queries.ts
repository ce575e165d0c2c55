import type { ParticipantRow } from '../../domain/calls/calls.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** Which of some participants follow a tag of the host. */
export async function selectFollowers(
  db: Queryable,
  host_id: string,
  participants: ParticipantRow[],
): Promise<Set<string | null>> {
  const ids = participants.flatMap(({ user_id }) => user_id ?? []);
  const rows = await db.many<{ id: string }>(sql`
    select distinct follower_id as id from follows where owner_id = ${host_id} and follower_id = any(${ids}::text[])`);
  return new Set(rows.map(({ id }) => id));
}
