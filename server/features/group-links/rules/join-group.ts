/** Joining a group by its link. */
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { deleteReplacedInvites, emitGroup, inviteWithdrawn } from '../../../domain/contacts/group-invites.ts';
import { countMembers, max_members } from '../../../domain/contacts/groups.ts';
import { clearNotifications } from '../../../domain/notifications/clear-notifications.ts';
import { notify } from '../../../domain/notifications/notify.ts';
import { sql } from '../../../kernel/database/database.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';

type Known = { open_id: string | null; is_member: boolean; has_place: boolean };

/**
 * Makes a person a member; nothing changes for a member. An open invite is accepted by it. The caller has locked the pair
 * with the owner and the group's row, and has checked the link and for a block.
 * @throws ApiError `limit_reached`
 */
export async function joinGroup(
  change: Change,
  { group_id, owner_id }: { group_id: string; owner_id: string },
  viewer: Viewer,
): Promise<void> {
  const { db, now } = change;
  const known = await db.one<Known>(sql`
    select max(i.id) filter (where i.state in ('pending', 'accepted')) as open_id,
      coalesce(bool_or(i.state = 'accepted'), false) as is_member,
      coalesce(bool_or(exists (select 1 from group_members m where m.invite_id = i.id)), false) as has_place
    from group_invites i where i.group_id = ${group_id} and i.user_id = ${viewer.id}`);
  if (known.is_member) return;
  if (!known.has_place && (await countMembers(db, group_id)) >= max_members)
    fail('limit_reached', { message: `A group can have up to ${max_members} members.` });
  const id = known.open_id ?? change.id('ginv');
  await db.run(sql`
    insert into group_invites (id, group_id, user_id, state, created_at, decided_at)
    values (${id}, ${group_id}, ${viewer.id}, 'accepted', ${now}, ${now})
    on conflict (id) do update set state = 'accepted', quiet = false, decided_at = excluded.decided_at`);
  // A contact of the owner who had left or declined keeps their place.
  const placed = await db.run(sql`
    update group_members m set invite_id = ${id} from group_invites i
    where m.group_id = ${group_id} and i.id = m.invite_id and i.user_id = ${viewer.id}`);
  if (placed === 0)
    await db.run(sql`
      insert into group_members (group_id, contact_id, invite_id, added_at) values (${group_id}, null, ${id}, ${now})`);
  await deleteReplacedInvites(db, group_id, viewer.id);
  await clearNotifications(change, [id]);
  if (known.open_id !== null) change.emit(inviteWithdrawn, [`user:${viewer.id}`], { id });
  await emitGroup(change, group_id);
  const subject = { type: 'group' as const, id: group_id };
  await notify(change, { to: owner_id, kind: 'group_joined', subject, actor_id: viewer.id, source_id: id });
}
