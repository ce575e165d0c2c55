/** What is shared by those who change and read who is connected. */
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** Locks the presence of a user or guest until the end of the transaction, so that changes by several nodes are serialised. */
export async function lockPresence(db: Queryable, person_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`presence ${person_id}`}, 0))`);
}

/** Stores when somebody's last connection ended, unless they have that switched off. */
export async function storeLastSeen(db: Queryable, user_id: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into last_seen (user_id, at)
    select u.id, ${now}::timestamptz from users u where u.id = ${user_id} and u.last_seen and u.deleted_at is null
    on conflict (user_id) do update set at = excluded.at`);
}

/** Deletes when somebody was last online. */
export async function forgetLastSeen(db: Queryable, user_id: string): Promise<void> {
  await db.run(sql`delete from last_seen where user_id = ${user_id}`);
}
