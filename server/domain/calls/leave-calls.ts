/** Leaving calls for outside reasons: an account is deleted, a block is created, a session or the right to enter a room ends. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { mayEnterRoom, placeOwner } from '../visibility/rooms.ts';
import { updateCall, type CallUpdate } from './update-call.ts';
import { leaveCallAs } from './hang-up.ts';
import { preventRejoin, revokeGrantsOf } from './participants.ts';
import { participantOf } from './state/calls.ts';

/**
 * Ends or leaves every call that a user hosts, is in or is rung by, and ends those in their rooms and events: the account
 * is being deleted or suspended.
 */
export async function endCallsOf(change: Change, user_id: string): Promise<void> {
  // Locked, as by whoever joins: the first one starts the call.
  await change.db.run(sql`
    select 1 from lasting_rooms r where ${isOwnedRoom(sql`= ${user_id}`)} order by r.id for no key update`);
  const call_ids = new Set([
    ...(await selectCallsOf(change, [user_id])),
    ...(await selectCallsInRooms(change, isOwnedRoom(sql`= ${user_id}`))),
    ...(await selectCallsInEventsOf(change, user_id)),
    ...(await selectCallsOfPhone(change, user_id)),
  ]);
  for (const call_id of [...call_ids].sort()) {
    await updateCall(change, call_id, async (update) => {
      if (update.call.place_owner_id === user_id) return update.end('host_gone');
      const participant = update.call.participants.find((one) => one.user_id === user_id);
      const phone_ids = await selectPhonesOf(change, user_id, call_id);
      for (const phone of update.call.participants.filter(({ id }) => phone_ids.has(id)))
        update.move(phone, 'departed', { grant: 'returned', removed: true });
      if (!participant) return;
      const had_host = participant.role === 'host';
      update.move(participant, 'declined');
      // Removed, so that the call has another PIN than the one that they know.
      update.move(participant, 'departed', { grant: 'returned', removed: true });
      if (had_host) update.end('host_gone');
    });
  }
}

/** Participant `p` is the phone with the verified number of account `holder`, which has dialled in. */
const isPhoneOfHolder = sql`p.user_id is null and p.guest_id is null and p.invited_by is null and p.phone = holder.mobile_number
  and holder.mobile_verified and p.state in ('joining', 'joined')`;

/** The calls into which the phone of an account has dialled. */
async function selectCallsOfPhone({ db }: Change, user_id: string): Promise<string[]> {
  const rows = await db.many<{ call_id: string }>(sql`
    select p.call_id from users holder join call_participants p on ${isPhoneOfHolder}
      join calls c on c.id = p.call_id and c.state <> 'ended' where holder.id = ${user_id}`);
  return rows.map(({ call_id }) => call_id);
}

/** The participants of a call that are the phone of an account. */
async function selectPhonesOf({ db }: Change, user_id: string, call_id: string): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from users holder join call_participants p on ${isPhoneOfHolder}
    where holder.id = ${user_id} and p.call_id = ${call_id}`);
  return new Set(rows.map(({ id }) => id));
}

async function selectCallsOf({ db }: Change, user_ids: string[]): Promise<string[]> {
  const rows = await db.many<{ call_id: string }>(sql`
    select distinct p.call_id from call_participants p join calls c on c.id = p.call_id
    where p.user_id = any(${user_ids}::text[]) and c.state <> 'ended' order by p.call_id`);
  return rows.map(({ call_id }) => call_id);
}

/**
 * Removes each of two people, and the phone with their verified number, from the calls that the other hosts or has
 * called them into, and from those in the other's rooms and events: a ring ends unanswered, a participant leaves. Others
 * see the same as for an unanswered ring or a participant who left.
 */
export async function removeBlockedFromCalls(change: Change, one_id: string, other_id: string): Promise<void> {
  // Decided once a call is locked: the other may be joining it at this moment, or its host be changing.
  const pair: Pair = [one_id, other_id];
  const in_rooms = await selectCallsInRooms(change, isOwnedRoom(sql`= any(${pair}::text[])`));
  const call_ids = new Set([...(await selectCallsOf(change, pair)), ...in_rooms]);
  for (const call_id of [...call_ids].sort()) {
    await updateCall(change, call_id, async (update) => {
      for (const id of await selectSeparated(change, pair, call_id)) {
        const participant = update.call.participants.find((one) => one.id === id);
        if (!participant || update.move(participant, 'blocked', { grant: 'returned', removed: true })) continue;
        // Those who had already left receive no more events either.
        await preventRejoin(change, call_id, participant);
      }
      endWithoutHost(update);
    });
  }
}

/** Ends the call of a place whose host was removed, if nobody else can be its host: the place could not be entered. */
function endWithoutHost(update: CallUpdate): void {
  update.settle();
  const host = update.call.participants.find((one) => one.role === 'host');
  if (update.call.place_owner_id !== null && host?.removed_at) update.end('host_gone');
}

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
    const participant = participantOf(update.call, user_id);
    if (!participant) return;
    const removal = { grant: 'returned', removed: true } as const;
    update.setRole(participant, 'guest');
    if (!update.move(participant, 'ring_over', removal) && !update.move(participant, 'departed', removal))
      await preventRejoin(change, update.call.id, participant);
    endWithoutHost(update);
  });

/**
 * Removes everybody who may no longer enter the lasting room of a tag or a group from the call in it, except those who were
 * called into it. They may return when they may enter again.
 */
export const removeUnentitledFromRoomOf = (change: Change, of_id: string): Promise<void> =>
  updateCallsInRooms(change, isRoomOf(of_id), async (update) => {
    const unentitled = new Set(await selectUnentitled(change, update.call.id));
    for (const participant of update.call.participants.filter(({ id }) => unentitled.has(id))) {
      update.setRole(participant, 'guest');
      // Whoever hosted it counted as called.
      update.clearInvited(participant);
      if (!update.move(participant, 'departed', { grant: 'returned' }) && participant.joining_at)
        await revokeGrantsOf(change, update.call.id, participant);
    }
  });

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

/** The participants of a call in a lasting room who may not enter it, and were not called. */
async function selectUnentitled({ db }: Change, call_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from calls c join lasting_rooms r on r.id = c.room_id join call_participants p on p.call_id = c.id
    where c.id = ${call_id} and p.user_id is not null and p.rung_at is null and not ${mayEnterRoom(sql`p.user_id`)}`);
  return rows.map(({ id }) => id);
}

type Pair = [string, string];

/** Room `r` is that of a tag or a group. */
const isRoomOf = (of_id: string): Sql => sql`(r.tag_id = ${of_id} or r.group_id = ${of_id})`;

/** Room `r` is that of a tag or a group whose owner fulfils a condition. As an array, so that no other room is read. */
const isOwnedRoom = (owner: Sql): Sql => sql`r.id = any(array(
  select o.id from tags t join lasting_rooms o on o.tag_id = t.id where t.owner_id ${owner}
  union all select o.id from groups g join lasting_rooms o on o.group_id = g.id where g.owner_id ${owner}))`;

/** The calls in the lasting rooms `r` that a condition selects, which somebody may be joining. */
async function selectCallsInRooms({ db }: Change, which: Sql): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id from calls c join lasting_rooms r on r.id = c.room_id and r.join_code = c.join_code
    where c.state <> 'ended' and ${which} order by c.id`);
  return rows.map(({ id }) => id);
}

/** The calls in the events of a person. */
async function selectCallsInEventsOf({ db }: Change, owner_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id from calls c join calendar_events e on e.id = c.event_id and e.join_code = c.join_code
    where c.state <> 'ended' and e.owner_id = ${owner_id}`);
  return rows.map(({ id }) => id);
}

/** The participants of a call, which is locked, whom a block between two people removes. */
async function selectSeparated({ db }: Change, pair: Pair, call_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select p.id from call_participants p join calls c on c.id = p.call_id
    where c.id = ${call_id} and c.state <> 'ended' and p.removed_at is null and p.user_id = any(${pair}::text[]) and (
      -- The owner of the place stays, whoever hosts the call.
      case when ${placeOwner} = any(${pair}::text[]) then p.user_id <> ${placeOwner}
        else c.host_id = any(array_remove(${pair}::text[], p.user_id::text)) end
      or (p.state = 'ringing' and p.invited_by = any(array_remove(${pair}::text[], p.user_id::text))))
    union
    -- The phone with the verified number of one of them, in a call of the other.
    select p.id from call_participants caller join calls c on c.id = caller.call_id
      join call_participants p on p.call_id = c.id and p.user_id is null and p.removed_at is null
      join users holder on holder.mobile_number = p.phone and holder.mobile_verified and holder.deleted_at is null
    where c.id = ${call_id} and c.state <> 'ended' and caller.user_id = any(${pair}::text[])
      and holder.id = any(array_remove(${pair}::text[], caller.user_id::text))
      and (c.host_id = caller.user_id or (p.state = 'ringing' and p.invited_by = caller.user_id))
    order by id`);
  return rows.map(({ id }) => id);
}

/** Removes the guests `gu` of widgets that a condition selects from their calls: their access ends. */
export async function leaveCallsOfGuests(change: Change, which: Sql): Promise<void> {
  const rows = await change.db.many<{ call_id: string; guest_id: string }>(sql`
    select p.call_id, p.guest_id from guests gu join call_participants p on p.guest_id = gu.id
    where ${which}
      and (p.state in ('joining', 'joined') or (p.state = 'left' and p.joining_at is not null)) order by p.call_id`);
  for (const { call_id, guest_id } of rows)
    await updateCall(change, call_id, (update) => leaveCallAs(change, update, guest_id));
}

/** Removes everybody who joined a call with one of the sessions: the end of a session ends its calls. */
export async function leaveCallsOfSessions(change: Change, session_ids: string[]): Promise<void> {
  const rows = await change.db.many<{ call_id: string; user_id: string }>(sql`
    select call_id, user_id from call_participants
    where session_id = any(${session_ids}::text[]) and (state in ('joining', 'joined') or (state = 'left' and joining_at is not null))
    order by call_id`);
  for (const { call_id, user_id } of rows)
    await updateCall(change, call_id, (update) => leaveCallAs(change, update, user_id));
}
