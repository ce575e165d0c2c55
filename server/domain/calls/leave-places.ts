/** People leave the call of a lasting room or an event when their right to enter it ends, or the room or event itself. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { maySeeEvent } from '../visibility/calendar.ts';
import { isOpenTo } from '../visibility/calls.ts';
import { mayEnterRoom, placeOwner } from '../visibility/rooms.ts';
import { decideAdmission } from './link-guests.ts';
import { preventRejoin, revokeGrantsOf } from './participants.ts';
import { endRecording, withholdRecording } from './stop-recording.ts';
import { participantOf } from './state/calls.ts';
import { updateCall, type CallUpdate } from './update-call.ts';

/** Removes whom a block separates from the new owner of a group from the call in its lasting room. */
export async function removeBlockedFromRoomOf(change: Change, group_id: string, owner_id: string): Promise<void> {
  await change.db.run(sql`select 1 from lasting_rooms where group_id = ${group_id} for no key update`);
  const rows = await change.db.many<{ user_id: string }>(sql`
    select p.user_id from lasting_rooms r join calls c on c.room_id = r.id and c.join_code = r.join_code and c.state <> 'ended'
      join call_participants p on p.call_id = c.id
    where r.group_id = ${group_id} and p.user_id in (select other_id from blocked_pairs where user_id = ${owner_id})`);
  for (const { user_id } of rows) await removeFromRoomOf(change, group_id, user_id);
}

/** Removes somebody who is a member of a group no longer from the call in its lasting room. */
export const removeFromRoomOf = (change: Change, group_id: string, user_id: string): Promise<void> =>
  removeFromRooms(change, user_id, sql`r.group_id = ${group_id}`);

/** Removes somebody who no longer follows some tags from the calls in those of their lasting rooms that followers enter. */
export const removeFromRoomsOfTags = (change: Change, tag_ids: string[], user_id: string): Promise<void> =>
  removeFromRooms(change, user_id, sql`r.tag_id = any(${tag_ids}::text[]) and not ${mayEnterRoom(user_id)}`);

/** Removes somebody from the calls in the lasting rooms `r` that a condition selects; they may return when they are called. */
const removeFromRooms = (change: Change, user_id: string, which: Sql): Promise<void> =>
  updateCallsInRooms(change, which, async (update) => {
    update.renews_pin = true;
    await removePhonesOf(change, update, user_id);
    const participant = participantOf(update.call, user_id);
    if (!participant) return;
    const removal = { grant: 'returned', removed: true } as const;
    update.setRole(participant, 'guest');
    if (!update.apply(participant, 'ring_over', removal) && !update.apply(participant, 'departed', removal))
      await preventRejoin(change, update.call.id, participant);
    endWithoutHost(update);
  });

/**
 * Removes everybody who may no longer enter the lasting room of a tag or a group from the call in it, except those who were
 * called into it. They may return when they may enter again.
 * @param leaver_id whoever has given up the right themselves, if nobody else can have lost it
 */
export const removeUnentitledFromRoomOf = (change: Change, of_id: string, leaver_id?: string): Promise<void> =>
  updateCallsInRooms(change, isRoomOf(of_id), async (update) => {
    // A PIN that changed each time somebody came and went would shut out phones.
    if (leaver_id === undefined) update.renews_pin = true;
    await removeUnentitled(
      change,
      update,
      (user_id) => sql`(${user_id} <> ${leaver_id ?? user_id}
        or exists (select 1 from lasting_rooms r where r.id = c.room_id and ${mayEnterRoom(user_id)}))`,
    );
  });

/**
 * Removes everybody but the owner and those who were called into it from the call in the lasting room of a tag or a group:
 * the room is being deleted. Its link admits no guests any more.
 */
export const closeRoomOf = (change: Change, of_id: string): Promise<void> =>
  updateCallsInRooms(change, isRoomOf(of_id), (update) => closePlace(change, update));

/**
 * Removes somebody who no longer follows a host from the calls of that host that only followers may join, unless they were
 * called or may join in another way.
 */
export async function removeFromCallsForFollowers(change: Change, host_id: string, user_id: string): Promise<void> {
  const calls = await change.db.many<{ id: string }>(sql`
    select c.id from call_participants p join calls c on c.id = p.call_id
    where p.user_id = ${user_id} and c.host_id = ${host_id} and c.privacy = 'followers' and c.state <> 'ended' order by c.id`);
  for (const { id } of calls)
    await updateCall(change, id, async (update) => {
      const participant = participantOf(update.call, user_id);
      if (!participant || participant.invited) return;
      await removeUnentitled(change, update, (one_id) => sql`(${one_id} <> ${user_id} or ${isOpenTo(one_id)})`);
    });
}

/** Removes everybody who may no longer enter the call of an event, whose row is locked, except those who were called into it. */
export const removeUnentitledFromEvent = (change: Change, event_id: string): Promise<void> =>
  updateCallsInEvent(change, event_id, async (update) => {
    update.renews_pin = true;
    await removeUnentitled(
      change,
      update,
      (user_id) => sql`exists (
        select 1 from calendar_events e join users u on u.id = e.owner_id
        where e.id = c.event_id and (e.owner_id = ${user_id} or (e.call_enabled and ${maySeeEvent(user_id)})))`,
    );
  });

/**
 * Removes everybody but the owner and those who were called into it from the call of an event, whose row is locked: it is
 * being deleted.
 */
export const closeEvent = (change: Change, event_id: string): Promise<void> =>
  updateCallsInEvent(change, event_id, (update) => closePlace(change, update));

async function closePlace(change: Change, update: CallUpdate): Promise<void> {
  update.renews_pin = true;
  await removeUnentitled(change, update, (user_id) => sql`${user_id} is not distinct from ${placeOwner}`);
  const { call } = update;
  // Its people are notified that the room is gone, and not of who is in it.
  call.room_id = null;
  if (call.guests === 'off') return;
  call.guests = 'off';
  await change.db.run(sql`update calls set guests = 'off' where id = ${call.id}`);
  await decideAdmission(change, call, 'declined');
  update.touch();
}

/** Removes the participants of the call of a place who have no right to enter it, and were not called. */
async function removeUnentitled(change: Change, update: CallUpdate, mayEnter: MayEnter): Promise<void> {
  const unentitled = new Set(await selectUnentitled(change, update.call.id, mayEnter));
  if (unentitled.size > 0) update.renews_pin = true;
  const leaving = update.call.participants.filter(({ id }) => unentitled.has(id));
  await withholdRecording(change, update.call.id, leaving);
  for (const participant of leaving) {
    update.setRole(participant, 'guest');
    // Whoever hosted it counted as called.
    update.clearInvited(participant);
    if (!update.apply(participant, 'departed', { grant: 'returned' }) && participant.joining_at)
      await revokeGrantsOf(change, update.call.id, participant);
    if (participant.user_id !== null && participant.user_id === update.call.recording?.by?.id) {
      await endRecording(change, update.call);
      update.touch();
    }
  }
}

/** Ends the call in the lasting room of a tag or a group. */
export const endCallInRoomOf = (change: Change, of_id: string): Promise<void> =>
  updateCallsInRooms(change, isRoomOf(of_id), (update) => update.end('host_gone'));

/** Updates the calls in the lasting rooms `r` that a condition selects. */
async function updateCallsInRooms(
  change: Change,
  which: Sql,
  work: (update: CallUpdate) => void | Promise<void>,
): Promise<void> {
  // Locked, as by whoever joins: the first one starts the call.
  const rooms = await change.db.many<{ id: string }>(
    sql`select r.id from lasting_rooms r where ${which} order by r.id for no key update`,
  );
  if (rooms.length === 0) return;
  const ids = rooms.map(({ id }) => id);
  for (const call_id of await selectCallsInRooms(change, sql`r.id = any(${ids}::text[])`))
    await updateCall(change, call_id, work);
}

/** Updates the call of an event whose row is locked, as by whoever joins. */
async function updateCallsInEvent(
  change: Change,
  event_id: string,
  work: (update: CallUpdate) => void | Promise<void>,
): Promise<void> {
  for (const call_id of await selectCallsInEvents(change, sql`e.id = ${event_id}`))
    await updateCall(change, call_id, work);
}

/** A person may enter the place of call `c`, as SQL. */
type MayEnter = (user_id: Sql) => Sql;

/** The participants of a call, and the phones with their verified numbers, who may not enter its place, and were not called. */
async function selectUnentitled({ db }: Change, call_id: string, mayEnter: MayEnter): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from calls c join call_participants p on p.call_id = c.id
    where c.id = ${call_id} and p.user_id is not null and p.rung_at is null and not ${mayEnter(sql`p.user_id`)}
    union
    select p.id from calls c join call_participants p on p.call_id = c.id join users holder on ${isPhoneOfHolder}
    where c.id = ${call_id} and not ${mayEnter(sql`holder.id`)} and not exists (
      select 1 from call_participants h where h.call_id = c.id and h.user_id = holder.id and h.rung_at is not null)`);
  return rows.map(({ id }) => id);
}

/** Room `r` is that of a tag or a group. */
const isRoomOf = (of_id: string): Sql => sql`(r.tag_id = ${of_id} or r.group_id = ${of_id})`;

/** Room `r` is that of a tag or a group whose owner fulfils a condition. As an array, so that no other room is read. */
export const isOwnedRoom = (owner: Sql): Sql => sql`r.id = any(array(
  select o.id from tags t join lasting_rooms o on o.tag_id = t.id where t.owner_id ${owner}
  union all select o.id from groups g join lasting_rooms o on o.group_id = g.id where g.owner_id ${owner}))`;

/** The calls in the lasting rooms `r` that a condition selects, which somebody may be joining. */
export async function selectCallsInRooms({ db }: Change, which: Sql): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id from calls c join lasting_rooms r on r.id = c.room_id and r.join_code = c.join_code
    where c.state <> 'ended' and ${which} order by c.id`);
  return rows.map(({ id }) => id);
}

/** The calls in the events `e` that a condition selects. */
export async function selectCallsInEvents({ db }: Change, which: Sql): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id from calls c join calendar_events e on e.id = c.event_id and e.join_code = c.join_code
    where c.state <> 'ended' and ${which} order by c.id`);
  return rows.map(({ id }) => id);
}

/** Participant `p` is the phone with the verified number of account `holder`, which has dialled in. */
export const isPhoneOfHolder = sql`p.user_id is null and p.guest_id is null and p.invited_by is null and p.phone = holder.mobile_number
  and holder.mobile_verified and p.state in ('joining', 'joined')`;

/** Removes the phone of an account from a call into which it has dialled. */
export async function removePhonesOf(change: Change, update: CallUpdate, user_id: string): Promise<void> {
  const rows = await change.db.many<{ id: string }>(sql`
    select p.id from users holder join call_participants p on ${isPhoneOfHolder}
    where holder.id = ${user_id} and p.call_id = ${update.call.id}`);
  const ids = new Set(rows.map(({ id }) => id));
  for (const phone of update.call.participants.filter(({ id }) => ids.has(id)))
    update.apply(phone, 'departed', { grant: 'returned', removed: true });
}

/** Ends the call of a place whose host was removed, if nobody else can be its host: the place could not be entered. */
export function endWithoutHost(update: CallUpdate): void {
  update.settle();
  const host = update.call.participants.find((one) => one.role === 'host');
  if (update.call.place_owner_id !== null && host?.removed_at) update.end('host_gone');
}
