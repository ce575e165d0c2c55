/** Deletion of a group: members and invited people are notified at once, and its rows are purged later, in portions. */
import { deleteRoom } from '../../../domain/calls/lasting-rooms.ts';
import { withdrawInvites } from '../../../domain/contacts/group-invites.ts';
import { groupDeleted } from '../../../domain/contacts/groups.ts';
import { detachFiles } from '../../../domain/files/files.ts';
import { clearGroupMentions } from '../../../domain/notifications/clear-notifications.ts';
import { revokeLink } from '../../../domain/public-links/links.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change } from '../../../kernel/services.ts';

/** The number of messages per transaction. */
const portion = 500;

/** Deletes a group whose row the caller has locked. */
export async function deleteGroupContent(change: Change, group_id: string, owner_id: string): Promise<void> {
  await change.db.run(sql`update groups set deleted_at = ${change.now} where id = ${group_id}`);
  await withdrawInvites(change, sql`i.group_id = ${group_id}`);
  await clearGroupMentions(change, [{ group_id, user_id: owner_id }]);
  await deleteRoom(change.db, group_id);
  await revokeLink(change, 'group', group_id);
  change.emit(groupDeleted, [`user:${owner_id}`], { id: group_id });
  change.enqueue(purgeGroup, { group_id });
}

/** Purges a deleted group. */
export const purgeGroup = job<{ group_id: string }>({
  name: 'groups.purge',
  max_attempts: 20,
  async run({ group_id }, services) {
    await inChange(services, async ({ db, now, enqueue }) => {
      const messages = await db.many<{ id: string }>(sql`
        delete from chat_messages where id = any(array(
          select id from chat_messages where group_id = ${group_id} order by id limit ${portion})) returning id`);
      await detachFiles(db, [group_id, ...messages.map(({ id }) => id)], now);
      if (messages.length === portion) enqueue(purgeGroup, { group_id });
      else await db.run(sql`delete from groups where id = ${group_id} and deleted_at is not null`);
    });
  },
});
