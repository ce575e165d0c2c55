import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.run(sql`
      delete from notifications where id = any(array(
        select id from notifications where user_id = ${user_id} order by id limit ${portion}))`);
    return gone >= portion;
  },
};
