/**
 * Who may see what: the one place. Each rule is an SQL predicate, so that a list is a full page and a single load says
 * "absent" and "hidden" with the same row that is not there. A viewer without an account is the empty text, which is
 * nobody's identifier. Aliases are fixed: `t` a tag, `u` its owner, the author or the account itself, `s` a status,
 * `g` a group, `d` one person's side of a thread, `fi` a file, `e` a calendar event.
 */
import { raw, sql, type Queryable, type Sql } from '../../kernel/database.ts';
import { callerIdOf, type Caller, type Guest } from '../../kernel/endpoint.ts';
import type { Services } from '../../kernel/services.ts';

/** Who looks, when, and with what addresses are signed. */
export type Viewer = { id: string; now: Date; services: Services };

/** The viewer of a request; nobody when it came without an account. */
export function viewerOf({
  caller,
  now,
  services,
}: {
  caller: Caller | Guest | undefined;
  now: Date;
  services: Services;
}): Viewer {
  return { id: caller ? callerIdOf(caller) : '', now, services };
}

/** A viewer in a predicate: an identifier, or a column that holds one. */
export type ViewerId = string | Sql;

/**
 * Ends a look for one row that is made for each of many: without it the planner reads all rows of the one who is the same
 * each time, be they the million followers of somebody famous, to look the others up among them.
 */
export const one_by_one = sql`offset 0`;

/** Neither has blocked the other. `column` holds the other's identifier. */
export const areTogether = (viewer_id: ViewerId, column: string): Sql =>
  sql`not exists (select 1 from apart where apart.user_id = ${viewer_id} and apart.other_id = ${raw(column)})`;

/** The account that `column` names is suspended: all that it did is gone until that ends. */
const isSuspended = (column: string): Sql =>
  sql`exists (select 1 from users gone where gone.id = ${raw(column)} and gone.suspended_at is not null)`;

/** What account `column` did is there for a viewer: a block or a suspension takes it away, its deletion does not. */
export const isThereFor = (viewer_id: ViewerId, column: string): Sql =>
  sql`(${areTogether(viewer_id, column)} and not ${isSuspended(column)})`;

/** Account `u` exists for a viewer: not deleted, not suspended, no block between the two. */
export const mayMeet = (viewer_id: ViewerId, alias = 'u'): Sql => {
  const at = raw(alias);
  return sql`${at}.deleted_at is null and ${at}.suspended_at is null and ${areTogether(viewer_id, `${alias}.id`)}`;
};

/** The viewer follows tag `t`. */
export const followsTag = (viewer_id: ViewerId): Sql =>
  sql`exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.tag_id = t.id)`;

/**
 * The viewer's class sees every status of a tag `t` that they may open: its owner and its followers do. Others see the
 * public ones.
 */
export const seesAllOfTag = (viewer_id: ViewerId): Sql => sql`(t.owner_id = ${viewer_id} or ${followsTag(viewer_id)})`;

/** Who may see tag `t` of owner `u` when they know its name or identifier. */
export const mayOpenTag = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and (t.owner_id = ${viewer_id} or (
    t.hidden_at is null and u.suspended_at is null and ${areTogether(viewer_id, 't.owner_id')}
    and (t.visibility <> 'private' or ${followsTag(viewer_id)})))`;

/** Who may come upon tag `t` of owner `u` without knowing it. */
export const mayListTag = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and t.visibility = 'public' and (t.hidden_at is null or t.owner_id = ${viewer_id})
  and u.suspended_at is null and ${areTogether(viewer_id, 't.owner_id')}`;

/** The viewer follows what status `s` was posted to: its tag, or without one any tag of its author. */
const followsStream = (viewer_id: ViewerId): Sql => sql`(
  exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.tag_id = s.tag_id)
  or (s.tag_id is null and exists (select 1 from follows f where f.follower_id = ${viewer_id} and f.owner_id = s.author_id)))`;

/** Who may see status `s` of author `u`, with its tag `t` joined from the left. */
export const maySeeStatus = (viewer_id: ViewerId): Sql => sql`
  t.deleted_at is null and (s.author_id = ${viewer_id} or (
    s.hidden_at is null and t.hidden_at is null and u.suspended_at is null and u.deleted_at is null
    and ${areTogether(viewer_id, 's.author_id')}
    and ((s.visibility = 'public' and (t.id is null or t.visibility <> 'private')) or ${followsStream(viewer_id)})))`;

/**
 * The viewer may read message `m` of a call: they were in it, and it is not older than their coming, unless the host has
 * opened the chat; who was sent away, or came by a link that no longer lets them in, reads nothing that came after.
 * Identifiers are in the order of time, whatever their kind.
 */
export const mayReadCallMessage = (viewer_id: ViewerId): Sql => sql`not ${isSuspended('m.author_id')} and exists (
  select 1 from calls c join call_participants v on v.call_id = c.id
  where c.id = m.call_id and v.user_id = ${viewer_id}
    and (c.started_by = v.user_id or v.entered_at is not null)
    and (c.chat_history = 'all' or c.started_by = v.user_id or m.created_at >= v.entered_at)
    and (v.invited or v.left_at is null or c.privacy = 'public' or m.created_at <= v.left_at)
    and (v.removed_at is null or m.created_at <= v.removed_at))`;

/** The viewer has accepted to be in group `g`. */
const isInGroup = (viewer_id: ViewerId): Sql => sql`
  exists (select 1 from group_invites i where i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted' ${one_by_one})`;

/** Who may open group `g` of owner `u`: its owner and those who have accepted. */
export const mayOpenGroup = (viewer_id: ViewerId): Sql => sql`
  g.deleted_at is null and (g.owner_id = ${viewer_id} or (${mayMeet(viewer_id)} and ${isInGroup(viewer_id)}))`;

/**
 * The viewer may read message `m` of a group: they are in it and were when it was written, and no block kept them from
 * its author then. What a block has hidden stays hidden when it ends.
 */
export const mayReadGroupMessage = (viewer_id: ViewerId): Sql => sql`(
  not ${viewer_id} = any(m.hidden_from) and not ${isSuspended('m.author_id')} and exists (
    select 1 from groups g join users u on u.id = g.owner_id
    where g.id = m.group_id and g.deleted_at is null and (g.owner_id = ${viewer_id} or (${mayMeet(viewer_id)} and exists (
      select 1 from group_invites i
      where i.group_id = g.id and i.user_id = ${viewer_id} and i.state = 'accepted' and m.created_at >= i.decided_at)))))`;

/** Widget `w` is on: it stands, so does its tag, and its owner is neither deleted nor suspended. */
export const isWidgetOn: Sql = sql`(w.enabled and w.deleted_at is null
  and exists (select 1 from tags t where t.id = w.tag_id and t.deleted_at is null and t.hidden_at is null)
  and exists (select 1 from users u where u.id = w.owner_id and u.deleted_at is null and u.suspended_at is null))`;

/** Who reads and answers what guests of widget `w` write: its owner, and who may open the group that it is shared with. */
export const mayServeWidget = (
  viewer_id: ViewerId,
): Sql => sql`(w.deleted_at is null and (w.owner_id = ${viewer_id} or exists (
  select 1 from groups g join users u on u.id = g.owner_id where g.id = w.group_id and ${mayOpenGroup(viewer_id)})))`;

/**
 * The viewer may read message `m` of a widget: a guest their own conversation and the notices while the widget is on, and
 * whoever serves it all, but what a block kept from them.
 */
export const mayReadWidgetMessage = (viewer_id: ViewerId): Sql => sql`(
  not ${viewer_id} = any(m.hidden_from) and not ${isSuspended('m.author_id')} and exists (
    select 1 from widgets w where w.id = m.widget_id and (${mayServeWidget(viewer_id)} or (${isWidgetOn} and exists (
      select 1 from widget_guests gu where gu.id = ${viewer_id} and gu.widget_id = w.id
        and gu.created_at >= w.guests_since and (m.guest_id is null or m.guest_id = gu.id))))))`;

/** Who may read what group `g` of owner `u` is called: those who may open it, and whoever is asked to be in it. */
const mayNameGroup = (viewer_id: ViewerId): Sql => sql`
  g.deleted_at is null and (g.owner_id = ${viewer_id} or (${mayMeet(viewer_id)} and exists (
    select 1 from group_invites i
    where i.group_id = g.id and i.user_id = ${viewer_id} and i.state in ('pending', 'accepted'))))`;

/** Who may hear recording `r`: who was in the call while it ran and has not taken it from their list, and whoever started it. */
export const mayHearRecording = (viewer_id: ViewerId): Sql => sql`(
  ${isThereFor(viewer_id, 'r.started_by')}
  and not exists (select 1 from recordings_hidden h where h.recording_id = r.id and h.user_id = ${viewer_id})
  and (r.started_by = ${viewer_id} or exists (
    select 1 from call_participants v where v.call_id = r.call_id and v.user_id = ${viewer_id}
      and v.joined_at <= coalesce(r.ended_at, 'infinity') and coalesce(v.left_at, 'infinity') >= r.started_at)))`;

/**
 * Side `d` of a thread is the viewer's, and they see it: with their peer `u`, whose words stay also when the account is
 * gone.
 */
export const maySeeThread = (viewer_id: ViewerId): Sql => sql`(
  d.user_id = ${viewer_id} and d.folder <> 'none' and u.suspended_at is null and ${areTogether(viewer_id, 'd.peer_id')})`;

/** Event `e` is shared with the viewer. */
export const isGuestOf = (viewer_id: ViewerId): Sql => sql`
  exists (select 1 from calendar_guests c where c.event_id = e.id and c.user_id = ${viewer_id} ${one_by_one})`;

/** Who may see calendar event `e` of owner `u`: its owner, and those with whom it is shared. */
export const maySeeEvent = (viewer_id: ViewerId): Sql => sql`(
  e.owner_id = ${viewer_id} or (${mayMeet(viewer_id)} and ${isGuestOf(viewer_id)}))`;

/** What names a file, by its type, and whether the viewer may see it. Each type stands here once. */
const maySeeUse = (viewer_id: ViewerId): Sql => sql`
  case fu.subject_type
    when 'status' then exists (
      select 1 from statuses s join users u on u.id = s.author_id left join tags t on t.id = s.tag_id
      where s.id = fu.subject_id and ${maySeeStatus(viewer_id)})
    when 'tag' then exists (
      select 1 from tags t join users u on u.id = t.owner_id where t.id = fu.subject_id and ${mayOpenTag(viewer_id)})
    when 'call_message' then exists (
      select 1 from call_messages m where m.id = fu.subject_id and ${mayReadCallMessage(viewer_id)})
    when 'chat_message' then exists (
      select 1 from chat_messages m where m.id = fu.subject_id and case when m.group_id is null
        then ${mayReadWidgetMessage(viewer_id)} else ${mayReadGroupMessage(viewer_id)} end)
    when 'recording' then exists (
      select 1 from recordings r where r.id = fu.subject_id and ${mayHearRecording(viewer_id)})
    when 'inbox_message' then exists (
      select 1 from inbox_messages m where m.id = fu.subject_id and m.user_id = ${viewer_id}
        and (m.from_user_id is null or ${isThereFor(viewer_id, 'm.from_user_id')}))
    when 'dm_message' then exists (
      select 1 from dm_messages m join dm_members d on d.thread_id = m.thread_id join users u on u.id = d.peer_id
      where m.id = fu.subject_id and ${maySeeThread(viewer_id)})
    when 'group' then exists (
      select 1 from groups g join users u on u.id = g.owner_id where g.id = fu.subject_id and ${mayNameGroup(viewer_id)})
    else false
  end`;

/**
 * Who may open file `fi`: its owner, and whoever may see a thing that names it; nobody, once it was withdrawn. An account that is gone or suspended
 * opens nothing, whatever address it was given before.
 */
export const mayOpenFile = (viewer_id: ViewerId): Sql => sql`(
  coalesce(fi.unused_since, 'infinity') <> '-infinity'
  and (fi.owner_id = ${viewer_id} or exists (select 1 from file_uses fu where fu.file_id = fi.id and ${maySeeUse(viewer_id)}))
  and not exists (
    select 1 from users v where v.id = ${viewer_id} and (v.deleted_at is not null or v.suspended_at is not null)))`;

/**
 * One person follows a tag of another. `one` and `other` are columns or parameters.
 * @param end what the look ends with
 */
const follows = (one: ViewerId, other: ViewerId, end = sql``): Sql =>
  sql`exists (select 1 from follows f where f.follower_id = ${one} and f.owner_id = ${other} ${end})`;

/** Two people follow a tag of each other. */
export const knowsEachOther = (one: ViewerId, other: ViewerId, end = sql``): Sql =>
  sql`${follows(one, other, end)} and ${follows(other, one, end)}`;

/**
 * One person has another among their contacts: by a number or an e-mail that the other has verified, by a tag of
 * theirs, or by an invite that one of them accepted.
 */
const hasAsContact = (one: ViewerId, other: ViewerId): Sql => sql`(
  exists (
    select 1 from users k join contact_addresses a on a.owner_id = ${one} and a.address = any(array[
      k.id, case when k.mobile_verified then k.mobile_number end, case when k.email_verified then k.email end])
    where k.id = ${other} ${one_by_one})
  or exists (
    select 1 from tags k join contact_addresses a on a.owner_id = ${one} and a.address = '*' || k.name
    where k.owner_id = ${other} and k.deleted_at is null ${one_by_one}))`;

/** Person `u` follows the viewer or has them as a contact. */
export const isKnownTo = (viewer_id: ViewerId): Sql =>
  sql`(${follows(sql`u.id`, viewer_id, one_by_one)} or ${hasAsContact(sql`u.id`, viewer_id)})`;

/**
 * Whether the reach that `u` has set for an approach (`message`, `call`, `add`, `find`) lets the viewer through:
 * everyone; whom `u` follows or has as a contact; those who follow each other; nobody.
 */
export const mayReach = (viewer_id: ViewerId, approach: 'message' | 'call' | 'add' | 'find'): Sql => sql`
  case u.reach ->> ${approach}
    when 'everyone' then true
    when 'contacts' then ${isKnownTo(viewer_id)}
    when 'mutual' then ${knowsEachOther(viewer_id, sql`u.id`, one_by_one)}
    else false
  end`;

/**
 * Person `u`, whose settings are `ls`, shows their position to the viewer: to those they selected, to followers, to their
 * contacts; one who shows it to everybody stands on the map of those two, and is discovered by others.
 */
export const sharesLocationWith = (viewer_id: ViewerId): Sql => sql`
  case ls.mode
    when 'selected' then exists (
      select 1 from location_viewers lv where lv.owner_id = u.id and lv.viewer_id = ${viewer_id} ${one_by_one})
    when 'followers' then ${follows(viewer_id, sql`u.id`, one_by_one)}
    when 'contacts' then ${hasAsContact(sql`u.id`, viewer_id)}
    when 'public' then (${follows(viewer_id, sql`u.id`, one_by_one)} or ${hasAsContact(sql`u.id`, viewer_id)})
    else false
  end`;

/**
 * Makes the relations of one person with others wait for each other until the transaction ends. Whoever makes something between two
 * people, or a block, takes this before looking for a block or for the thing: then never both stand. It must be a
 * statement of its own, because the next one shall see what was committed while it waited. Others are taken in one order,
 * so that two who call each other do not wait in a ring.
 */
export async function lockPairs(db: Queryable, one_id: string, other_ids: string[]): Promise<void> {
  if (other_ids.length === 0) return;
  const pairs = other_ids.toSorted().map((other_id) => pairOf(one_id, other_id));
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(pair, 0)) from unnest(${pairs}::text[]) as pair`);
}

/** Two people as one name, whoever comes first. */
const pairOf = (one_id: string, other_id: string) => [one_id, other_id].sort().join(' ');

/** The same for one other. */
export async function lockPair(db: Queryable, one_id: string, other_id: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${pairOf(one_id, other_id)}, 0))`);
}

/** The same for the two of a thread, in one trip. Whoever is not one of them locks nothing. */
export async function lockThreadPair(db: Queryable, thread_id: string, viewer_id: string): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended(low_id || ' ' || high_id, 0)) from dm_threads
    where id = ${thread_id} and ${viewer_id} in (low_id, high_id)`);
}
