/** Hanging up: a person leaves, ends or declines a call by their own act; `leave-calls.ts` has the other reasons. */
import { sql } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import type { EndReason } from './state/call-machine.ts';
import { isIn } from './state/transition.ts';
import { isOwn, participantOf, selectCall, type CallRow } from './state/calls.ts';
import { revokeGrantsOf } from './participants.ts';
import { clearRingMark } from './ringing.ts';
import { type CallUpdate, updateCall, updateOpenCall, updateLocked } from './update-call.ts';

/** Ends the call that a user hosts, or removes them from the call that they are in. @returns whether there was one */
export async function hangUpCall(change: Change, user_id: string): Promise<boolean> {
  const active = await change.db.maybe<{ id: string }>(sql`
    select id from calls where id = (
      select v.call_id from call_participants v where ${isOwn('v', user_id)} and v.state in ('joining', 'joined')) for update`);
  const call = active && (await selectCall(change.db, sql`c.id = ${active.id}`));
  if (!call) return false;
  await updateLocked(change, call, (update) =>
    update.call.host_id === user_id ? update.end('hung_up') : leaveCallAs(change, update, user_id),
  );
  return true;
}

/** Ends a call for everybody; the media connections are closed after the commit. */
export function endCall(change: Change, call_id: string, reason: Exclude<EndReason, 'empty'>): Promise<CallRow> {
  return updateCall(change, call_id, (update) => update.end(reason));
}

/** Removes a person or a guest of a widget from a call. A call without participants stops ringing. */
export async function leaveCall(change: Change, call_id: string, user_id: string): Promise<void> {
  await updateCall(change, call_id, (update) => leaveCallAs(change, update, user_id));
}

/** Removes a person from the call of an update, also when they are only disconnected and might return. */
export async function leaveCallAs(change: Change, update: CallUpdate, user_id: string): Promise<void> {
  const participant = participantOf(update.call, user_id);
  if (!participant) return;
  if (!update.apply(participant, 'departed', { grant: 'returned' })) {
    if (participant.joining_at) await revokeGrantsOf(change, update.call.id, participant);
    return;
  }
  if (!update.call.participants.some(isIn)) for (const one of update.call.participants) update.apply(one, 'ring_over');
}

/**
 * Declines a call that rings for a user; idempotent.
 * @throws ApiError `not_found`, `already_decided` when it does not ring for them
 */
export async function declineRing(
  change: Change,
  join_code: string,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<void> {
  await updateOpenCall(change, join_code, user_id, async (update) => {
    const participant = participantOf(update.call, user_id);
    if (participant?.state === 'declined') return;
    if (!participant || !update.apply(participant, 'declined'))
      fail('already_decided', { message: 'This call is not ringing for you.' });
    await clearRingMark(change, session_id);
  });
}
