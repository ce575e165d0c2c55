/** Deletion of a group: members and invited people are notified at once, and its rows are purged later, in portions. */
import { deleteRoom } from '../../../domain/calls/lasting-rooms.ts';
import { purgeMessages } from '../../../domain/chat/purge-messages.ts';
import { withdrawInvites } from '../../../domain/contacts/group-invites.ts';
import { groupDeleted } from '../../../domain/contacts/groups.ts';
import { detachFiles } from '../../../domain/files/files.ts';
import { clearGroupMentions } from '../../../domain/notifications/clear-notifications.ts';
import { revokeLink } from '../../../domain/public-links/links.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change } from '../../../kernel/services.ts';

/** Deletes a group whose row the caller has locked. */
export async function deleteGroupContent(change: Change, group_id: string, owner_id: string): Promise<void> {
  await change.db.run(sql`update groups set deleted_at = ${change.now} where id = ${group_id}`);
  await withdrawInvites(change, sql`i.group_id = ${group_id}`);
  await clearGroupMentions(change, [{ group_id, user_id: owner_id }]);
  await deleteRoom(change, group_id);
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
      if (await purgeMessages({ db, now }, sql`m.group_id = ${group_id}`)) {
        enqueue(purgeGroup, { group_id });
        return;
      }
      await detachFiles(db, [group_id], now);
      await db.run(sql`delete from groups where id = ${group_id} and deleted_at is not null`);
    });
  },
});
