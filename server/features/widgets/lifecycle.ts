import { deleteWidgets } from '../../domain/widgets/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long a guest without messages is kept after their token has expired, in seconds. */
const silent_guest_s = 24 * 60 * 60;

export const widgetsLifecycle: Lifecycle = {
  async accountDeleted(change, user_id) {
    await deleteWidgets(change, sql`w.owner_id = ${user_id}`);
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from guests where id = any(array(
        select gu.id from guests gu where gu.expires_at < ${after(now, -silent_guest_s)}
          and not exists (select 1 from chat_messages m where m.guest_id = gu.id)
        order by gu.expires_at limit ${portion}::int))`);
    return gone >= portion;
  },
};
