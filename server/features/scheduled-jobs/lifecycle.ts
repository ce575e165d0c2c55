import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long a finished job is listed, in seconds: 90 days. */
const kept_s = 90 * 86_400;

export const lifecycle: Lifecycle = {
  async accountDeleted({ db, now }, user_id) {
    await db.run(sql`
      update scheduled_jobs set state = 'cancelled', next_run_at = null, due_at = null, ended_at = ${now}
      where user_id = ${user_id} and state in ('scheduled', 'running')`);
  },
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from scheduled_jobs where id = any(array(
        select id from scheduled_jobs where user_id = ${user_id} order by id limit ${portion}::int))`);
    return gone >= portion;
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from scheduled_jobs where id = any(array(
        select id from scheduled_jobs where ended_at < ${after(now, -kept_s)} order by ended_at limit ${portion}::int))`);
    return gone >= portion;
  },
};
