/** What is shared by those who change and read who is connected. */
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** Locks the presence of a user or guest until the end of the transaction, so that changes by several nodes are serialised. */
export async function lockPresence(db: Queryable, person_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`presence ${person_id}`}, 0))`);
}
