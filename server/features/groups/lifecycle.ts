import { withdrawInvites } from '../../domain/contacts/group-invites.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { deleteGroupContent } from './rules/delete-content.ts';

export const lifecycle: Lifecycle = {
  async accountDeleted(change, user_id) {
    const groups = await change.db.many<{ id: string }>(
      sql`select id from groups where owner_id = ${user_id} and deleted_at is null order by id for update`,
    );
    for (const { id } of groups) await deleteGroupContent(change, id, user_id);
  },
  async purgeAccount(change, user_id, portion) {
    const some = sql`any(array(select id from group_invites where user_id = ${user_id} order by id limit ${portion}))`;
    await withdrawInvites(change, sql`i.id = ${some}`);
    const gone = await change.db.run(sql`delete from group_invites where id = ${some}`);
    return gone >= portion;
  },
};
