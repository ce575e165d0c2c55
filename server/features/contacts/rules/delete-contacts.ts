import { removeFromRoomOf } from '../../../domain/calls/leave-places.ts';
import { emitGroup, withdrawInvites } from '../../../domain/contacts/group-invites.ts';
import { revokeLink } from '../../../domain/public-links/links.ts';
import { sql } from '../../../kernel/database/database.ts';
import type { Change } from '../../../kernel/services.ts';

/** Deletes contacts of one owner, whose rows the caller has locked, and removes them from the owner's groups. */
export async function deleteContacts(change: Change, ids: string[]): Promise<void> {
  const { db } = change;
  const which = sql`contact_id = any(${ids}::text[])`;
  // Groups first, then members, then invites: all code locks them in this order.
  await db.run(sql`
    select 1 from groups where id in (select group_id from group_members where ${which}) order by id for update`);
  const places = await db.many<{ group_id: string; invite_id: string | null }>(sql`
    delete from group_members where ${which} returning group_id, invite_id`);
  const invites = places.flatMap(({ invite_id }) => invite_id ?? []);
  const ended = invites.length > 0 ? await withdrawInvites(change, sql`i.id = any(${invites}::text[])`) : [];
  for (const { group_id, user_id } of ended.filter(({ was }) => was === 'accepted')) {
    // They may know the link.
    await revokeLink(change, 'group', group_id);
    await removeFromRoomOf(change, group_id, user_id);
  }
  await db.run(sql`delete from contacts where id = any(${ids}::text[])`);
  for (const group_id of new Set(places.map((one) => one.group_id))) await emitGroup(change, group_id);
}
