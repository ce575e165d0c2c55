import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { deleteTagContent } from './rules/delete-content.ts';

export const lifecycle: Lifecycle = {
  async accountDeleted(change, user_id) {
    const tags = await change.db.many<{ id: string; name: string; owner_id: string }>(
      sql`select id, name, owner_id from tags where owner_id = ${user_id} and deleted_at is null order by id for update`,
    );
    for (const tag of tags) await deleteTagContent(change, tag);
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from held_tag_names where name = any(array(
        select name from held_tag_names where held_until < ${now} order by held_until limit ${portion}::int))`);
    return gone >= portion;
  },
};
