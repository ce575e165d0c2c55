import { isOpenTo } from '../../domain/visibility/calls.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** The participants of a call who could also join it without being called. */
export async function selectAllowedUninvited(db: Queryable, call_id: string): Promise<Set<string | null>> {
  const rows = await db.many<{ id: string }>(sql`
    select p.user_id as id from call_participants p join calls c on c.id = p.call_id
    where c.id = ${call_id} and p.user_id is not null and ${isOpenTo(sql`p.user_id`)}`);
  return new Set(rows.map(({ id }) => id));
}
