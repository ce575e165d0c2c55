/** Joining a call. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { CallUpdate } from './update-call.ts';
import { isPresent } from './state/transition.ts';
import { participantOf, type CallRow, type ParticipantRow } from './state/calls.ts';
import { newParticipant, hasCapacity, insertParticipants, requireCapacity } from './participants.ts';
import { recordConsentSupport } from './state/consent.ts';
import { clearRingMark } from './ringing.ts';
import { call_scheduled_target } from './call-jobs.ts';
import { fail, found } from '../../kernel/errors.ts';
import { callerIdOf, isGuest, sessionIdOf, type Caller, type Guest } from '../../kernel/caller.ts';
import type { Change } from '../../kernel/services.ts';

/** Puts the caller into state `joining`, from any state. @returns the name under which they join */
export async function joinCall(change: Change, update: CallUpdate, caller: Caller | Guest): Promise<string> {
  const { call } = update;
  if (call.state === 'ended') fail('gone', { message: 'This call has ended.' });
  const participant = participantOf(call, callerIdOf(caller));
  if (!participant || !isPresent(participant)) await requireCapacity(change.db, call, 1);
  if (participant) await rejoin(change, update, participant, caller);
  const joined = participant ?? (await joinAsNew(change, update, caller));
  // The owner of an event or a lasting room hosts its call as soon as they join.
  if (!isGuest(caller) && call.place_owner_id === caller.user_id) update.makeHost(joined);
  return joined.name;
}

/** Joins as a participant who was called, or was in the call before. @throws ApiError `call_locked` */
async function rejoin(
  change: Change,
  { call, apply }: CallUpdate,
  participant: ParticipantRow,
  caller: Caller | Guest,
): Promise<void> {
  if (call.locked && !mayComeBack(call, participant)) fail('call_locked');
  if (participant.state === 'ringing') await clearRingMark(change, sessionIdOf(caller));
  // Only a scheduled call rings its own host: now the others are called.
  if (participant.state === 'ringing' && participant.role === 'host')
    change.enqueue(call_scheduled_target, { call_id: call.id }, { key: `scheduled-call:${call.id}` });
  if (participant.state !== 'joined') apply(participant, 'answered');
}

/** Joins as a new participant. @throws ApiError `call_locked`, `plan_limit_reached`, `not_found` for another's guest */
async function joinAsNew(change: Change, update: CallUpdate, caller: Caller | Guest): Promise<ParticipantRow> {
  const { call } = update;
  // The first participant hosts it in the absence of the owner of its room or event, and cannot lock them out.
  if (call.locked && call.place_owner_id !== callerIdOf(caller)) fail('call_locked');
  if (!hasCapacity(call, 1)) fail('plan_limit_reached', { message: 'This call is full.' });
  // A guest of a widget is only in calls that they started.
  if (isGuest(caller) && caller.place_id !== call.id) fail('not_found');
  const name = isGuest(caller) ? caller.name : await selectName(change.db, caller.user_id);
  const fresh = {
    ...newParticipant(change.id('part'), isGuest(caller) ? null : caller.user_id, name),
    ...(isGuest(caller) ? { guest_id: caller.guest_id, name_is_default: caller.name_is_default } : {}),
    invited: false,
    joining_at: change.now,
  };
  await insertParticipants(change.db, call.id, [fresh]);
  call.participants.push(fresh);
  update.touch();
  return fresh;
}

/** Whether somebody may return to a locked call: who was called, its hosts, and those whose connection was lost. */
const mayComeBack = (call: CallRow, one: ParticipantRow): boolean =>
  isPresent(one) ||
  one.invited ||
  one.role !== 'guest' ||
  one.joining_at !== null ||
  (one.user_id !== null && (one.user_id === call.started_by || one.user_id === call.place_owner_id));

/** Makes a running recording ask a new participant for consent. */
export async function askBeforeRecording({ db }: Change, { call }: CallUpdate, caller_id: string): Promise<void> {
  const participant = found(participantOf(call, caller_id));
  if (participant.asks_consent) return;
  await recordConsentSupport(db, participant.id);
  participant.asks_consent = true;
  if (call.recording && call.recording.by?.id !== participant.user_id) participant.recording_consent ??= 'asked';
}

/** The name under which a user joins a call. */
async function selectName(db: Queryable, user_id: string): Promise<string> {
  return (await db.one<{ display_name: string }>(sql`select display_name from users where id = ${user_id}`))
    .display_name;
}
