/** Leaving calls for outside reasons: an account is deleted, a block is created, or a session ends. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { placeOwner } from '../visibility/rooms.ts';
import { updateCall } from './update-call.ts';
import { leaveCallAs } from './hang-up.ts';
import {
  endWithoutHost,
  isOwnedRoom,
  isPhoneOfHolder,
  removePhonesOf,
  selectCallsInEvents,
  selectCallsInRooms,
} from './leave-places.ts';
import { preventRejoin } from './participants.ts';

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
    ...(await selectCallsInEvents(change, sql`e.owner_id = ${user_id}`)),
    ...(await selectCallsOfPhone(change, user_id)),
  ]);
  for (const call_id of [...call_ids].sort()) {
    await updateCall(change, call_id, async (update) => {
      if (update.call.place_owner_id === user_id) return update.end('host_gone');
      const participant = update.call.participants.find((one) => one.user_id === user_id);
      await removePhonesOf(change, update, user_id);
      if (!participant) return;
      const had_host = participant.role === 'host';
      update.apply(participant, 'declined');
      // Removed, so that the call has another PIN than the one that they know.
      if (!update.apply(participant, 'departed', { grant: 'returned', removed: true }))
        await preventRejoin(change, call_id, participant);
      if (had_host) update.end('host_gone');
    });
  }
}

/** The calls into which the phone of an account has dialled. */
async function selectCallsOfPhone({ db }: Change, user_id: string): Promise<string[]> {
  const rows = await db.many<{ call_id: string }>(sql`
    select p.call_id from users holder join call_participants p on ${isPhoneOfHolder}
      join calls c on c.id = p.call_id and c.state <> 'ended' where holder.id = ${user_id}`);
  return rows.map(({ call_id }) => call_id);
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
        if (!participant || update.apply(participant, 'blocked', { grant: 'returned', removed: true })) continue;
        // Those who had already left receive no more events either.
        await preventRejoin(change, call_id, participant);
      }
      endWithoutHost(update);
    });
  }
}

type Pair = [string, string];

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
