import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long an expired invite stays in its sender's list. */
const retention_s = 365 * 24 * 60 * 60;

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await db.run(sql`update invites set state = 'revoked' where user_id = ${user_id} and state = 'sent'`);
  },
  async purgeAccount({ db }, user_id, portion) {
    const own = await db.run(sql`
      delete from invites where id = any(array(
        select id from invites where user_id = ${user_id} order by id limit ${portion}::int))`);
    await db.run(sql`update contacts set linked_user_id = null where linked_user_id = ${user_id}`);
    return own === portion;
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from invites where id = any(array(
        select id from invites where state <> 'accepted' and expires_at < ${after(now, -retention_s)} limit ${portion}::int))`);
    return gone === portion;
  },
};
