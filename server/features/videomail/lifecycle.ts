import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from unanswered_mail where (receiver_id, sender_id) in (
        select receiver_id, sender_id from unanswered_mail where receiver_id = ${user_id}
        union all select receiver_id, sender_id from unanswered_mail where sender_id = ${user_id} limit ${portion}::int)`);
    return gone === portion;
  },
};
