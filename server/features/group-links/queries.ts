import { maySeeUser } from '../../domain/visibility/people.ts';
import { type Queryable, sql } from '../../kernel/database/database.ts';

/** Whether a viewer may see a person. */
export async function isVisible(db: Queryable, user_id: string, viewer_id: string): Promise<boolean> {
  return (await db.run(sql`select 1 from users u where u.id = ${user_id} and ${maySeeUser(viewer_id)}`)) > 0;
}
