/** Group invites: inviting a contact with an account to a group, and everything that ends an invite or a membership. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { after, wireTime, wireTimeOrNull } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { groupDeleted, GroupLabel, groupLabelJson, groupUpdated, presentGroupLabel, type GroupRow } from './groups.ts';
import type { Consume } from '../visibility/stranger-limits.ts';
import { notify } from '../notifications/notify.ts';
import { clearGroupMentions, clearNotifications } from '../notifications/clear-notifications.ts';
import { isKnownTo, mayReach } from '../visibility/people.ts';
import type { Viewer } from '../visibility/viewer.ts';

/** How long new invites are suppressed after a decline, in seconds. People who left may be invited again at once. */
export const decline_hold_s = 30 * 24 * 60 * 60;

/** The states of an invite that its recipient sees. */
export const invite_states = ['pending', 'accepted', 'declined'] as const;

export const GroupInvite = component(
  'GroupInvite',
  object({
    id: idOf('ginv'),
    group: GroupLabel,
    from: PublicUser,
    state: oneOf(...invite_states),
    created_at: moment,
    decided_at: nullable(moment),
  }),
);

export const groupInvited = event('group.invited', 'You were invited to a group.', object({ invite: GroupInvite }));
export const inviteWithdrawn = event(
  'group.invite_withdrawn',
  'A group invite was withdrawn, or answered on another device.',
  object({ id: idOf('ginv') }),
);

/** An invite to a group. */
export type InviteRow = {
  id: string;
  group_id: string;
  user_id: string;
  label: GroupRow['label'];
  from: PublicUserRow;
  state: (typeof invite_states)[number] | 'left';
  created_at: Date;
  decided_at: Date | null;
};

/** The columns of InviteRow, over `group_invites i join groups g join users u` (the owner). */
export const invite_columns = sql`
  i.id, i.group_id, i.user_id, i.state, i.created_at, i.decided_at, ${groupLabelJson} as label, ${publicUserJson('u')} as "from"`;

/** An invite as the invited person sees it. Those who left had accepted. */
export function presentInvite(row: InviteRow, viewer: Viewer): Static<typeof GroupInvite> {
  return {
    id: row.id,
    group: presentGroupLabel(row.label, viewer),
    from: presentUser(row.from, viewer),
    state: row.state === 'left' ? 'accepted' : row.state,
    created_at: wireTime(row.created_at),
    decided_at: wireTimeOrNull(row.decided_at),
  };
}

/**
 * Invites a user to a group on behalf of its owner, unless they are invited or a member; returns the invite for the
 * member's row. After a recent decline, or when the user's reach excludes the owner, the invite is declined silently,
 * so that the owner cannot tell; that consumes the budget of invites as well. The caller has locked the pair and
 * the group's row, and has checked for a block.
 * @throws ApiError `rate_limited`
 */
export async function inviteToGroup(
  change: Change & Consume,
  group_id: string,
  owner_id: string,
  user_id: string,
): Promise<string | undefined> {
  const { db, now } = change;
  const id = change.id('ginv');
  const made = await db.maybe<{ quiet: boolean; knows: boolean }>(sql`
    insert into group_invites (id, group_id, user_id, state, quiet, created_at, decided_at, declined_at)
    select ${id}, ${group_id}, u.id, case when no.at is null then 'pending' else 'declined' end, no.at is not null,
           ${now}::timestamptz, no.at, no.at
    from users u cross join lateral (
      select coalesce(
        (select max(i.declined_at) from group_invites i
          where i.group_id = ${group_id} and i.user_id = u.id and i.state = 'declined' and i.declined_at > ${after(now, -decline_hold_s)}),
        case when ${mayReach(owner_id, 'add')} then null else ${now}::timestamptz end) as at) no
    where u.id = ${user_id}
    on conflict (group_id, user_id) where state in ('pending', 'accepted') do nothing
    returning quiet, (select ${isKnownTo(owner_id)} from users u where u.id = group_invites.user_id) as knows`);
  if (!made) return undefined;
  if (!made.knows) await change.consume('group_invite', owner_id);
  if (made.quiet) return id;
  const row = await db.one<InviteRow>(sql`
    select ${invite_columns} from group_invites i join groups g on g.id = i.group_id join users u on u.id = g.owner_id
    where i.id = ${id}`);
  const invited = { id: user_id, now, services: change.services };
  change.emit(groupInvited, [`user:${user_id}`], { invite: presentInvite(row, invited) });
  const subject = { type: 'group_invite' as const, id };
  await notify(change, { to: user_id, kind: 'group_invite', subject, actor_id: owner_id, source_id: id });
  return id;
}

/** Notifies the owner and the members of a group that it was changed. */
export async function emitGroup(change: Change, group_id: string): Promise<void> {
  const rows = await change.db.many<{ id: string }>(sql`
    select owner_id as id from groups where id = ${group_id} and deleted_at is null
    union all select user_id from group_invites where group_id = ${group_id} and state = 'accepted'`);
  change.emit(
    groupUpdated,
    rows.map(({ id }) => `user:${id}` as const),
    { id: group_id },
  );
}

type Ended = { id: string; group_id: string; user_id: string; was: 'pending' | 'accepted' };

/** Locks the groups whose members end, so that none is transferred meanwhile: a transfer gives members another place. */
async function lockGroupsOf(db: Queryable, which: Sql): Promise<void> {
  await db.run(sql`
    select 1 from groups where id in (
      select i.group_id from group_invites i where i.state in ('pending', 'accepted') and ${which}) order by id for no key update`);
}

/**
 * Ends the open invites and memberships that a condition on `group_invites i` selects, on the owner's side: they are
 * deleted, so that the same people may be invited again.
 * @returns those that ended
 */
export async function withdrawInvites(change: Change, which: Sql): Promise<Ended[]> {
  await lockGroupsOf(change.db, which);
  const gone = await change.db.many<Ended>(sql`
    delete from group_invites i where i.state in ('pending', 'accepted') and ${which}
    returning i.id, i.group_id, i.user_id, i.state as was`);
  await emitEnded(change, gone);
  return gone;
}

/**
 * Ends the open invites and memberships that a condition on `group_invites i` selects, on the invited person's side: open
 * invites are declined, which suppresses new ones, and memberships left. To the owner an open invite still looks open.
 */
export async function leaveGroups(change: Change, which: Sql): Promise<void> {
  const { db, now } = change;
  await lockGroupsOf(db, which);
  const left = await db.many<Ended>(sql`
    with open as (
      select i.id, i.state from group_invites i where i.state in ('pending', 'accepted') and ${which} order by i.id for update)
    update group_invites i set state = case open.state when 'pending' then 'declined' else 'left' end,
      decided_at = coalesce(i.decided_at, ${now}), declined_at = ${now}, is_admin = false
    from open where i.id = open.id
    returning i.id, i.group_id, i.user_id, open.state as was`);
  await emitEnded(change, left);
}

async function emitEnded(change: Change, ended: Ended[]): Promise<void> {
  await clearNotifications(
    change,
    ended.map(({ id }) => id),
  );
  for (const { id, group_id, user_id, was } of ended) {
    if (was === 'pending') change.emit(inviteWithdrawn, [`user:${user_id}`], { id });
    else change.emit(groupDeleted, [`user:${user_id}`], { id: group_id });
  }
  const left = ended.filter(({ was }) => was === 'accepted');
  // Nothing that the owner stored remains of people who had joined by the link.
  await change.db.run(sql`
    delete from group_members where contact_id is null and invite_id = any(${left.map(({ id }) => id)}::text[])`);
  await clearGroupMentions(change, left);
  const joined = left.map(({ group_id }) => group_id);
  // A person who rejoins starts with an empty chat.
  if (left.length > 0)
    await change.db.run(sql`
      with gone as (select * from unnest(${joined}::text[], ${left.map(({ user_id }) => user_id)}::text[]) as gone (group_id, user_id)),
      runs as (delete from chat_hidden_runs r using gone where r.group_id = gone.group_id and r.user_id = gone.user_id)
      delete from group_chat_reads r using gone where r.group_id = gone.group_id and r.user_id = gone.user_id`);
  for (const group_id of new Set(joined)) await emitGroup(change, group_id);
}

/**
 * Deletes the ended memberships of a user in a group, and invites that were declined silently, which a newer invite
 * replaces: otherwise who joins and leaves again and again would slow down the group for everybody.
 */
export async function deleteReplacedInvites(db: Queryable, group_id: string, user_id: string): Promise<void> {
  await db.run(sql`
    delete from group_invites i
    where i.group_id = ${group_id} and i.user_id = ${user_id} and (i.state = 'left' or (i.state = 'declined' and i.quiet))
      and not exists (select 1 from group_members m where m.invite_id = i.id)`);
}

/** Ends the group relations of two people when one of them blocks the other. */
export async function endGroupRelations(change: Change, one_id: string, other_id: string): Promise<void> {
  await leaveGroups(
    change,
    sql`i.user_id in (${one_id}, ${other_id}) and exists (select 1 from groups g where g.id = i.group_id
      and ((g.owner_id = ${one_id} and i.user_id = ${other_id}) or (g.owner_id = ${other_id} and i.user_id = ${one_id})))`,
  );
}

/** Locks the row of a group until the end of the transaction. @returns its owner; undefined when it was deleted */
export async function lockGroup(db: Queryable, group_id: string): Promise<string | undefined> {
  const row = await db.maybe<{ owner_id: string }>(
    sql`select owner_id from groups where id = ${group_id} and deleted_at is null for update`,
  );
  return row?.owner_id;
}
