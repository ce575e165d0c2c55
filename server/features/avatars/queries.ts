import { type Queryable, sql } from '../../kernel/database/database.ts';

/** Whether an account is suspended, which hides its picture. */
export async function isSuspended(db: Queryable, user_id: string): Promise<boolean> {
  return (await db.run(sql`select 1 from users where id = ${user_id} and suspended_at is not null`)) > 0;
}
