import { hideThreads } from '../../domain/messages/threads.ts';
import { wasSeen } from '../../domain/visibility/blocked-people.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  /**
   * A block of an account that its blocker did not see any more stays, with the earlier one that hid it: if it went, they
   * would be told that the account had existed until now.
   */
  async purgeAccount({ db }, user_id, portion) {
    const gone = await db.many<{ blocker_id: string; blocked_id: string }>(sql`
      delete from blocks where id = any(array(
        select b.id from blocks b join users u on u.id = b.blocked_id where b.blocked_id = ${user_id} and ${wasSeen}
        union all select b.id from blocks b where b.blocker_id = ${user_id} and not exists (
          select 1 from blocks back where back.blocker_id = b.blocked_id and back.blocked_id = b.blocker_id and back.id > b.id)
        limit ${portion}::int)) returning blocker_id, blocked_id`);
    await hideThreads(
      db,
      gone.map(({ blocker_id, blocked_id }) => ({
        user_id,
        peer_id: blocker_id === user_id ? blocked_id : blocker_id,
      })),
    );
    return gone.length >= portion;
  },
};
