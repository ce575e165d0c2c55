/** Purges the messages of deleted chats, in bounded portions. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { detachFiles } from '../files/files.ts';

/** The number of messages per transaction. */
const portion = 500;

/**
 * Deletes one portion of the messages `m` of groups and widgets that a condition selects, and detaches their files.
 * @returns whether there may be more
 */
export async function purgeMessages({ db, now }: Pick<Change, 'db' | 'now'>, which: Sql): Promise<boolean> {
  const messages = await db.many<{ id: string }>(sql`
    delete from chat_messages where id = any(array(
      select m.id from chat_messages m where ${which} order by m.id limit ${portion})) returning id`);
  await detachFiles(
    db,
    messages.map(({ id }) => id),
    now,
  );
  return messages.length === portion;
}
