import { type Queryable, sql } from '../../kernel/database/database.ts';

/** Lowers all hands in a call. */
export async function clearHands(db: Queryable, call_id: string): Promise<void> {
  await db.run(sql`
    update call_participants set hand_raised_at = null where call_id = ${call_id} and hand_raised_at is not null`);
}
