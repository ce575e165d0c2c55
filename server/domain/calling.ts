/**
 * Calling: the one place where a call moves. Every move locks the call, changes participants, and settles: what the
 * participants' states and the clock say of the call is derived, told to those concerned, and looked at again when the
 * next term runs out.
 */
import { sql } from '../kernel/database.ts';
import { fail, found } from '../kernel/errors.ts';
import { job } from '../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../kernel/services.ts';
import { after } from '../kernel/time.ts';
import {
  callEnded,
  callRinging,
  callUpdated,
  partOf,
  presentCall,
  requireCall,
  selectCall,
  type CallRow,
  type ParticipantRow,
} from './conferences.ts';
import { pushTo } from './pushing.ts';
import { joinLink, pushRing, pushSettled, ring_s, settleRing, silenceDevice } from './ringing.ts';

/** How long each state may last, in seconds. */
export const terms = { ring_s, joining_s: 30, empty_s: 60, reconcile_s: 5 } as const;

/** What a participant's state becomes when its term has run out: state, the moment it began, the term, the next state. */
const time_outs = [
  { state: 'ringing', since: 'rung_at', term_s: terms.ring_s, next: 'no_answer' },
  { state: 'joining', since: 'joining_at', term_s: terms.joining_s, next: 'left' },
] as const;

const topicsOf = (participants: ParticipantRow[]) =>
  participants.flatMap((one) => (one.user_id && !one.silent ? [`user:${one.user_id}` as const] : []));

/** Whether somebody is in a call or may still come. */
export const isPresent = (one: ParticipantRow) =>
  one.state === 'ringing' || one.state === 'joining' || one.state === 'joined';

/** Locks a call for the rest of the transaction, so that its moves come one after the other. */
export async function lockCall(change: Change, call_id: string): Promise<CallRow> {
  await change.db.run(sql`select 1 from calls where id = ${call_id} for update`);
  return found(await selectCall(change.db, sql`c.id = ${call_id}`));
}

/**
 * Moves a participant from one of some states to another; says whether it was in one of them.
 * @param grant `returned` when they go of their own will: they come in again by asking for a grant, not by a client
 *   that connects once more with the old one
 */
export async function moveParticipant(
  change: Change,
  id: string,
  from: ParticipantRow['state'][],
  to: ParticipantRow['state'],
  grant: 'kept' | 'returned' = 'kept',
): Promise<boolean> {
  const moved = await change.db.maybe<{ was: string; user_id: string | null; call_id: string }>(sql`
    update call_participants p set state = ${to},
      joining_at = case when ${to} = 'joining' then ${change.now} when ${grant} = 'returned' then null else joining_at end,
      joined_at = case when ${to} = 'joined' then coalesce(joined_at, ${change.now}) else joined_at end,
      left_at = case when ${to} in ('left', 'declined', 'no_answer') then ${change.now}::timestamptz else null end
    from (select id, state from call_participants where id = ${id}) before
    where p.id = before.id and p.state = any(${from})
    returning before.state as was, p.user_id, p.call_id`);
  if (moved?.was === 'ringing' && moved.user_id) await settleRing(change, moved.user_id, moved.call_id);
  return moved !== undefined;
}

/** Tells people that they are called. */
export async function ring(change: Change, services: Services, call: CallRow, called: ParticipantRow[]): Promise<void> {
  const heard = called.filter((one) => !one.silent);
  change.emit(callRinging, topicsOf(heard), { call: presentCall(call, services.public_url) });
  change.afterCommit(() => {
    for (const one of heard) {
      const text = `${call.host.display_name} is calling ${one.name}`;
      services.outtray.add({
        id: one.id,
        channel: 'call',
        to: one.user?.username ?? one.name,
        text,
        links: [joinLink(services, call)],
      });
    }
  });
  const users = heard.flatMap(({ user_id }) => user_id ?? []);
  const subject = { type: 'call', id: call.id };
  await pushTo(change, users, { job: pushRing, payload: { call_id: call.id }, subject });
}

/**
 * Brings a locked call up to the moment: terms that have run out, its state, its end, the next look. Tells everybody
 * in it when something moved or `changed` says that something did.
 */
export async function settleCall(
  change: Change,
  services: Services,
  call_id: string,
  changed: boolean,
): Promise<CallRow> {
  let call = found(await selectCall(change.db, sql`c.id = ${call_id}`));
  if (call.state === 'ended') return call;
  let moved = changed;
  for (const { state, since, term_s, next } of time_outs) {
    for (const one of call.participants) {
      const began = one.state === state && one[since];
      if (began && after(new Date(began), term_s) <= change.now)
        moved = (await moveParticipant(change, one.id, [state], next)) || moved;
    }
  }
  if (moved) call = found(await selectCall(change.db, sql`c.id = ${call_id}`));
  const { state, empty_since } = derive(call, change.now);
  if (empty_since && after(empty_since, terms.empty_s) <= change.now) return endCall(change, services, call, 'empty');
  await change.db.run(sql`update calls set state = ${state}, empty_since = ${empty_since} where id = ${call_id}`);
  const settled = { ...call, state, empty_since };
  change.enqueue(checkCall, { call_id }, { run_at: nextLook(settled, change.now), key: `call:${call_id}` });
  if (moved || state !== call.state)
    change.emit(callUpdated, topicsOf(call.participants), { call: presentCall(settled, services.public_url) });
  return settled;
}

/** What a call's participants say of it: ringing until one of the called has answered or none is left to. */
function derive(call: CallRow, now: Date): { state: 'ringing' | 'live'; empty_since: Date | null } {
  const guests = call.participants.filter((one) => one.role === 'guest');
  const rings = guests.some((one) => one.state === 'ringing');
  const answered = guests.some((one) => one.joined_at !== null || one.state === 'joining' || one.state === 'joined');
  const empty = !rings && !call.participants.some((one) => one.state === 'joined');
  return {
    state: rings && !answered && call.state === 'ringing' ? 'ringing' : 'live',
    empty_since: empty ? (call.empty_since ?? now) : null,
  };
}

function nextLook(call: CallRow, now: Date): Date {
  const looks = call.participants.flatMap((one) => {
    // Whoever is in, or on the way in, is asked after, so that a lost webhook costs seconds.
    if (one.state === 'joined' || (one.state === 'joining' && one.joining_at)) return [after(now, terms.reconcile_s)];
    const term = time_outs.find(({ state }) => state === one.state);
    const began = term && one[term.since];
    return began ? [after(new Date(began), term.term_s)] : [];
  });
  if (call.empty_since) looks.push(after(call.empty_since, terms.empty_s));
  const first = Math.min(...looks.map((look) => look.getTime()));
  return new Date(Number.isFinite(first) ? first : after(now, terms.empty_s).getTime());
}

/** Ends a call for everybody; their media end after it. */
export async function endCall(
  change: Change,
  services: Services,
  call: CallRow,
  reason: NonNullable<CallRow['end_reason']>,
): Promise<CallRow> {
  for (const one of call.participants) {
    if (isPresent(one))
      await moveParticipant(change, one.id, [one.state], one.state === 'ringing' ? 'no_answer' : 'left');
  }
  await change.db.run(sql`
    update calls set state = 'ended', ended_at = ${change.now}, end_reason = ${reason}, empty_since = null where id = ${call.id}`);
  change.enqueue(closeRoom, { room: call.id });
  const ended = found(await selectCall(change.db, sql`c.id = ${call.id}`));
  change.emit(callEnded, topicsOf(ended.participants), { call: presentCall(ended, services.public_url) });
  return ended;
}

/** Takes a person out of a call; the host role stays with the host, who may come back while others talk. */
export async function leaveCall(change: Change, services: Services, call_id: string, user_id: string): Promise<void> {
  const call = await lockCall(change, call_id);
  const part = call.participants.find((one) => one.user_id === user_id);
  if (!part || !(await moveParticipant(change, part.id, ['joining', 'joined'], 'left', 'returned'))) return;
  change.enqueue(removeFromRoom, { room: call_id, identity: user_id }, { key: `remove:${call_id}:${user_id}` });
  await settleCall(change, services, call_id, true);
}

/** Ends or leaves every call that a user hosts, is in or is rung by: their account goes. */
export async function endCallsOf(change: Change, services: Services, user_id: string): Promise<void> {
  const rows = await change.db.many<{ call_id: string }>(sql`
    select p.call_id from call_participants p join calls c on c.id = p.call_id
    where p.user_id = ${user_id} and c.state <> 'ended' order by p.call_id`);
  for (const { call_id } of rows) {
    const call = await lockCall(change, call_id);
    const part = call.participants.find((one) => one.user_id === user_id);
    if (call.host_id === user_id) await endCall(change, services, call, 'host_gone');
    else if (part?.state === 'ringing' && (await moveParticipant(change, part.id, ['ringing'], 'declined')))
      await settleCall(change, services, call_id, true);
    else await leaveCall(change, services, call_id, user_id);
  }
}

/**
 * Takes each of two people out of the calls that the other hosts: an invitation ends unanswered, and who is in leaves.
 * What others are told is what they would be told of anybody who did not answer or who left.
 */
export async function partInCalls(change: Change, services: Services, one_id: string, other_id: string): Promise<void> {
  const rows = await change.db.many<{ call_id: string; user_id: string }>(sql`
    select p.call_id, p.user_id from call_participants p join calls c on c.id = p.call_id
    where c.state <> 'ended' and p.state in ('ringing', 'joining', 'joined')
      and ((p.user_id = ${one_id} and c.host_id = ${other_id}) or (p.user_id = ${other_id} and c.host_id = ${one_id}))
    order by p.call_id`);
  for (const { call_id, user_id } of rows) {
    const call = await lockCall(change, call_id);
    const part = call.participants.find((one) => one.user_id === user_id);
    if (part?.state === 'ringing' && (await moveParticipant(change, part.id, ['ringing'], 'no_answer')))
      await settleCall(change, services, call_id, true);
    else await leaveCall(change, services, call_id, user_id);
  }
}

/**
 * Takes the media server's word about a participant; says whether it moved them.
 * @param room_is_lost the media server has no such room: it was restarted, and its clients come back by themselves
 */
async function believe(
  change: Change,
  call_id: string,
  one: ParticipantRow,
  here: boolean,
  room_is_lost: boolean,
): Promise<boolean> {
  if (here && one.state === 'joining') return moveParticipant(change, one.id, ['joining'], 'joined');
  if (!here && one.state === 'joined')
    return moveParticipant(change, one.id, ['joined'], room_is_lost ? 'joining' : 'left');
  if (!here || one.state !== 'left') return false;
  // Cut off for a while and connected again, unless they left of their own will or are in another call by now.
  if (one.joining_at && !(await isInCall(change.db, one.user_id ?? '')))
    return moveParticipant(change, one.id, ['left'], 'joined');
  change.enqueue(
    removeFromRoom,
    { room: call_id, identity: one.user_id ?? '' },
    { key: `remove:${call_id}:${one.user_id}` },
  );
  return false;
}

async function isInCall(db: Change['db'], user_id: string): Promise<boolean> {
  const row = await db.maybe(
    sql`select 1 from call_participants where user_id = ${user_id} and state in ('joining', 'joined')`,
  );
  return row !== undefined;
}

/** Looks at a call when a term may have run out or the media server has news: who is connected is the media server's word. */
export const checkCall = job<{ call_id: string }>({
  name: 'calls.check',
  max_attempts: 20,
  async run({ call_id }, services) {
    const connected = new Set(await services.media.participants(call_id));
    const room_is_lost = connected.size === 0 && !(await services.media.hasRoom(call_id));
    await inChange(services, async (change) => {
      const call = await lockCall(change, call_id);
      if (call.state === 'ended') {
        if (connected.size > 0) change.enqueue(closeRoom, { room: call_id });
        return;
      }
      let moved = false;
      for (const one of call.participants) {
        if (one.user_id === null) continue;
        moved = (await believe(change, call_id, one, connected.has(one.user_id), room_is_lost)) || moved;
      }
      await settleCall(change, services, call_id, moved);
    });
  },
});

export const closeRoom = job<{ room: string }>({
  name: 'calls.close-room',
  max_attempts: 10,
  run: ({ room }, services) => services.media.closeRoom(room),
});

export const removeFromRoom = job<{ room: string; identity: string }>({
  name: 'calls.remove',
  max_attempts: 10,
  run: ({ room, identity }, services) => services.media.remove(room, identity),
});

export const calling_jobs = [pushRing, pushSettled, checkCall, closeRoom, removeFromRoom];

/**
 * Declines a call that rings for somebody; saying it twice is saying it once.
 * @throws ApiError `not_found`, `already_decided` when it does not ring for them
 */
export async function declineRing(
  change: Change,
  services: Services,
  join_code: string,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<void> {
  const { id } = await requireCall(change.db, join_code, user_id);
  const part = partOf(await lockCall(change, id), user_id);
  if (part?.state === 'declined') return;
  if (!part || !(await moveParticipant(change, part.id, ['ringing'], 'declined')))
    fail('already_decided', { message: 'This call does not ring for you.' });
  await silenceDevice(change, session_id);
  await settleCall(change, services, id, true);
}
