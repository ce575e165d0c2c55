/** Visibility of calls and their chats, and who may join without being called. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { isId } from '../../kernel/id.ts';
import { maySeeEvent } from './calendar.ts';
import { areNotBlocked, isSuspended, isActorVisible } from './people.ts';
import { mayEnterRoom } from './rooms.ts';
import type { ViewerId } from './viewer.ts';

/** From when participant `v` of call `c`, with an account, may read its chat; null from its beginning. */
const read_since = sql`case when c.chat_history = 'all' or c.started_by = v.user_id then null else v.entered_at end`;

/** Until when, for those who were removed, or joined by a link that is now closed; null until its end. */
const read_until = sql`
  least(case when v.invited or v.left_at is null or c.privacy = 'public' then null else v.left_at end, v.removed_at)`;

/**
 * The viewer may read message `m` of a call: while they are in it, what was written for them; once they have left it or
 * it has ended, what its transcript shows them. Checked one message at a time, so that a page is read in the order of
 * its index.
 */
export const mayReadCallMessage = (viewer_id: ViewerId): Sql =>
  typeof viewer_id === 'string' && isId('gst', viewer_id) ? mayReadAsGuest(viewer_id) : mayReadAsUser(viewer_id);

/** Participant `p`, an account or a guest, may read message `m` of the chat of their call. */
export const mayReceiveCallMessage: Sql = sql`case when p.guest_id is null then ${mayReadAsUser(sql`p.user_id`)}
  else ${mayReadAsGuest(sql`p.guest_id`)} end`;

/** A guest reads what was written since they joined, also where the history is open to others. */
function mayReadAsGuest(guest_id: ViewerId): Sql {
  return sql`not ${isSuspended('m.author_id')} and (
  select bool_or(m.created_at >= v.entered_at and v.removed_at is null)
  from call_participants v where v.call_id = m.call_id and v.guest_id = ${guest_id})`;
}

/** While both are in a call, a block hides nothing in its chat: they also hear each other. */
function mayReadAsUser(viewer_id: ViewerId): Sql {
  const in_transcript = sql`${areHostsVisible(viewer_id)} and ${isAuthorVisible(viewer_id)}`;
  return isWrittenFor(viewer_id, sql`(v.state in ('joining', 'joined') or (${in_transcript}))`);
}

/**
 * Message `m` is not older than the viewer's joining its call, unless the host has opened the history; for those who
 * were removed, or joined by a link that is now closed, it is not later than that.
 * @param further a condition on call `c` and its participant `v`, the viewer
 */
function isWrittenFor(viewer_id: ViewerId, further: Sql): Sql {
  return sql`(not ${isSuspended('m.author_id')} and (
  select (c.started_by = v.user_id or v.entered_at is not null)
    and m.created_at >= coalesce(${read_since}, '-infinity') and m.created_at <= coalesce(${read_until}, 'infinity') and ${further}
  from calls c join call_participants v on v.call_id = c.id where c.id = m.call_id and v.user_id = ${viewer_id}))`;
}

/** From when until when the viewer may read the chat of a call, for an index range: a statement that selects both. */
export const callChatTimes = (call_id: string | Sql, viewer_id: string): Sql =>
  isId('gst', viewer_id)
    ? sql`select v.entered_at as since, null::timestamptz as until
        from call_participants v where v.call_id = ${call_id} and v.guest_id = ${viewer_id}`
    : sql`select ${read_since} as since, ${read_until} as until
        from calls c join call_participants v on v.call_id = c.id where c.id = ${call_id} and v.user_id = ${viewer_id}`;

/**
 * The viewer may read messages of author `a.author_id`, null for guests, in the chat or the transcript of a call: what the
 * rules for each message say of its author.
 */
export const isCallAuthorShown = (call_id: string, viewer_id: string, is_transcript: boolean): Sql => {
  const is_with = sql`${areHostsVisible(viewer_id)} and ${areNotBlocked(viewer_id, 'a.author_id')}`;
  const is_shown = is_transcript
    ? areNotBlocked(viewer_id, 'a.author_id')
    : sql`(v.state in ('joining', 'joined') or (${is_with}))`;
  return sql`(not ${isSuspended('a.author_id')} and ${
    isId('gst', viewer_id)
      ? sql`true`
      : sql`exists (
          select 1 from calls c join call_participants v on v.call_id = c.id
          where c.id = ${call_id} and v.user_id = ${viewer_id} and ${is_shown})`
  })`;
};

/** Neither a block nor a suspension hides the person who started call `c`, or its host, from the viewer. */
export function areHostsVisible(viewer_id: ViewerId): Sql {
  return sql`(${isActorVisible(viewer_id, 'c.started_by')} and ${isActorVisible(viewer_id, 'c.host_id')})`;
}

/** No block separates the viewer from the author of message `m`, if that is an account. */
function isAuthorVisible(viewer_id: ViewerId): Sql {
  return sql`(m.author_id is null or ${areNotBlocked(viewer_id, 'm.author_id')})`;
}

/**
 * Participant `p` of call `c` is the viewer, who may read its chat even after leaving: they joined it, connected or
 * not, or started it, and its hosts are visible to them.
 */
export const mayOpenTranscript = (viewer_id: ViewerId): Sql => sql`(
  (p.entered_at is not null or c.started_by = p.user_id) and ${areHostsVisible(viewer_id)})`;

/**
 * The viewer, who may open the transcript of a call, may read message `m` in it, also while they are still in the call:
 * not the messages of people whom a block separates from them.
 */
export const mayReadTranscriptMessage = (viewer_id: ViewerId): Sql =>
  isWrittenFor(viewer_id, isAuthorVisible(viewer_id));

/** Message `m` belongs to a call whose transcript the viewer may open, and they may read it there. */
export const mayReadPastMessage = (viewer_id: ViewerId): Sql =>
  isWrittenFor(viewer_id, sql`${areHostsVisible(viewer_id)} and ${isAuthorVisible(viewer_id)}`);

/** The viewer may join call `c` without being called, if no block separates them from its host. */
export const isOpenTo = (
  viewer_id: ViewerId,
): Sql => sql`(c.state <> 'ended' and (c.privacy = 'public' or (c.privacy = 'followers'
  and exists (select 1 from follows f where f.owner_id = c.host_id and f.follower_id = ${viewer_id}))
  or (c.event_id is not null and exists (
    select 1 from calendar_events e join users u on u.id = e.owner_id
    where e.id = c.event_id and e.call_enabled and ${maySeeEvent(viewer_id)}))
  or (c.room_id is not null and exists (
    select 1 from lasting_rooms r where r.id = c.room_id and ${mayEnterRoom(viewer_id)}))))`;

/**
 * The viewer may see call `c` of host `host`: they were called or are in it, or it is open to them; not when they are
 * in a block with the host or were removed, and not while the host is suspended.
 */
export const mayOpenCall = (viewer_id: string): Sql =>
  isId('gst', viewer_id) ? isGuestOf(viewer_id) : mayOpenAsUser(viewer_id);

/**
 * A guest of a widget sees only their own calls, and a guest by link only that call, once the host has admitted them; after
 * they have left it, as long as it admits guests.
 */
const isGuestOf = (guest_id: string): Sql => sql`
  coalesce((
    select v.removed_at is null and (v.state in ('joining', 'joined') or v.joining_at is not null or c.guests <> 'off'
      or not exists (select 1 from guests gu where gu.id = v.guest_id and gu.call_id = c.id))
    from call_participants v where v.call_id = c.id and v.guest_id = ${guest_id}),
    c.guests <> 'off' and host.suspended_at is null and exists (
      select 1 from guests gu where gu.id = ${guest_id} and gu.call_id = c.id and gu.admission = 'admitted'))`;

/** The link of call `c` of host `host` may be opened without an account. */
export const admitsGuests: Sql = sql`(c.guests <> 'off' and not c.locked and c.state <> 'ended' and host.suspended_at is null
  and host.deleted_at is null)`;

const mayOpenAsUser = (viewer_id: string): Sql => sql`
  ${areNotBlocked(viewer_id, 'c.host_id')} and host.suspended_at is null and coalesce((
    select v.removed_at is null and (${isOpenTo(viewer_id)} or (not v.suppressed and (
      v.invited or v.state in ('joining', 'joined') or (c.state = 'ended' and v.joined_at is not null))))
    from call_participants v where v.call_id = c.id and v.user_id = ${viewer_id}), ${isOpenTo(viewer_id)})`;
