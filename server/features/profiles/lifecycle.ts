import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const comments = await change.db.many<{ id: string }>(sql`
      delete from comments where id = any(array(
        select id from comments where author_id = ${user_id} order by id limit ${portion})) returning id`);
    await clearNotifications(
      change,
      comments.map(({ id }) => id),
    );
    return comments.length >= portion;
  },
};
