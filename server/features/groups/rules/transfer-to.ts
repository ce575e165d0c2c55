import { emitGroup, leaveGroups, withdrawInvites } from '../../../domain/contacts/group-invites.ts';
import { revokeLink } from '../../../domain/public-links/links.ts';
import { areNotBlocked } from '../../../domain/visibility/people.ts';
import { unshareWidgets } from '../../../domain/widgets/widgets.ts';
import { sql } from '../../../kernel/database/database.ts';
import type { Change } from '../../../kernel/services.ts';

/** A group, its owner, and the member who becomes its owner. */
type Transfer = { group_id: string; from_id: string; to_id: string };

/** Makes a member the owner of a group whose row the caller has locked; the owner becomes a member. */
export async function transferTo(change: Change, { group_id, from_id, to_id }: Transfer): Promise<void> {
  const { db, now } = change;
  const of_group = sql`i.group_id = ${group_id}`;
  // A block with the owner ends a membership, also with one who has just become it.
  await leaveGroups(change, sql`${of_group} and i.user_id <> ${to_id} and not ${areNotBlocked(to_id, 'i.user_id')}`);
  // Contacts, and invites in their name, are those of the one who leaves the group to another.
  await withdrawInvites(change, sql`${of_group} and i.state = 'pending'`);
  await db.run(sql`
    delete from group_members m where m.group_id = ${group_id} and not exists (
      select 1 from group_invites i where i.id = m.invite_id and i.state = 'accepted' and i.user_id <> ${to_id})`);
  await db.run(sql`update group_members set contact_id = null where group_id = ${group_id}`);
  await db.run(sql`delete from group_invites i where ${of_group} and i.user_id = ${to_id} and i.state = 'accepted'`);
  const id = change.id('ginv');
  // They keep reading what they have read as the owner.
  await db.run(sql`
    insert into group_invites (id, group_id, user_id, state, created_at, decided_at)
    select ${id}, g.id, ${from_id}, 'accepted', ${now}, g.created_at from groups g where g.id = ${group_id}`);
  await db.run(sql`
    insert into group_members (group_id, contact_id, invite_id, added_at) values (${group_id}, null, ${id}, ${now})`);
  await db.run(sql`update groups set owner_id = ${to_id} where id = ${group_id}`);
  await revokeLink(change, 'group', group_id);
  await unshareWidgets(change, group_id, from_id);
  await emitGroup(change, group_id);
}
