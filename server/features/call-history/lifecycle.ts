import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

/** How many of an account's newest calls are anonymised at once; the older ones follow when its rows are purged. */
const at_once = 500;

/** Removes a name from the newest calls that still have it. @returns the number of calls */
const forgetName = (db: Queryable, user_id: string, portion: number): Promise<number> =>
  db.run(sql`
    update call_participants set name = 'deleted user' where id = any(array(
      select id from call_participants where user_id = ${user_id} and name <> 'deleted user'
      order by call_id desc limit ${portion}::int))`);

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await forgetName(db, user_id, at_once);
  },
  async purgeAccount({ db }, user_id, portion) {
    return (await forgetName(db, user_id, portion)) >= portion;
  },
};
