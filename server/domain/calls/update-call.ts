/**
 * Updating calls: the only place where a call changes. An update locks the call, applies transitions, and persists the
 * result: rows, the next check, and events for everybody.
 */
import { sql } from '../../kernel/database/database.ts';
import { found } from '../../kernel/errors.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change } from '../../kernel/services.ts';
import { isIn, isPresent, openUpdate, type Transitions } from './state/transition.ts';
import { applyEffects } from './apply-effects.ts';
import { closeRoom, runAfterCommit } from './call-jobs.ts';
import { callEnded, callUpdated } from './state/call-events.ts';
import { isNotified, selectPartialViews } from './state/call-people.ts';
import { emitRoom } from './room-events.ts';
import { identitiesOf } from './state/room-identities.ts';
import { mayReturn, presentCall, requireCall, selectCall, type CallRow, type ParticipantRow } from './state/calls.ts';
import { endLinkGuests } from './link-guests.ts';
import { endRecordingOfRemoved, withholdRecording } from './stop-recording.ts';
import { admissionOf, renewPin } from './phones/dial-in-pins.ts';
import { enqueueRemoval } from './participants.ts';
import { selectBlocked } from '../visibility/pairs.ts';

/** An update of a call: its rows, and the transitions that are applied to them. */
export type CallUpdate = Transitions<ParticipantRow, CallRow>;

/** Locks a call until the end of the transaction, so that its updates are serialised. */
async function lockCall(change: Change, call_id: string): Promise<CallRow> {
  await change.db.run(sql`select 1 from calls where id = ${call_id} for update`);
  return found(await selectCall(change.db, sql`c.id = ${call_id}`));
}

/**
 * Updates a call: locks it, applies `work` and all due time-outs, and persists the result.
 * @param work applies events to participants; writes other changes to the call's row itself and then returns true
 */
export async function updateCall(
  change: Change,
  call_id: string,
  work: (update: CallUpdate) => boolean | void | Promise<boolean | void>,
): Promise<CallRow> {
  return updateLocked(change, await lockCall(change, call_id), work);
}

/** Updates a call that a user may see, by its join code; like `updateCall`. @throws ApiError `not_found` */
export async function updateOpenCall(
  change: Change,
  join_code: string,
  viewer_id: string,
  work: (update: CallUpdate) => boolean | void | Promise<boolean | void>,
): Promise<CallRow> {
  await change.db.run(sql`select 1 from calls where join_code = ${join_code} and state <> 'ended' for update`);
  return updateLocked(change, await requireCall(change.db, join_code, viewer_id), work);
}

/** Updates a call whose row the transaction has locked; like `updateCall`. */
export async function updateLocked(
  change: Change,
  call: CallRow,
  work: (update: CallUpdate) => boolean | void | Promise<boolean | void>,
): Promise<CallRow> {
  const before = { host_id: call.host_id, admission: admissionOf(call) };
  const update = openUpdate<ParticipantRow, CallRow>(call, change.now);
  const has_other_change = await work(update);
  return finishUpdate(change, update, has_other_change === true, before);
}

/**
 * Applies due time-outs, persists the call, and notifies everybody of what has changed.
 * @param before its host, and who could join, before the update; undefined for a new call
 */
export async function finishUpdate(
  change: Change,
  update: CallUpdate,
  has_other_change: boolean,
  before?: { host_id: string; admission: ReturnType<typeof admissionOf> },
): Promise<CallRow> {
  update.settle();
  if (before && update.call.host_id !== before.host_id) await removeBlockedFromHost(change, update);
  const { call } = update;
  const removed = [...update.changed].filter(({ removed_at }) => removed_at?.getTime() === change.now.getTime());
  await withholdRecording(change, call.id, removed);
  const is_recording_over = await endRecordingOfRemoved(change, call);
  // A participant who has joined no longer counts as one whose devices do not ring.
  for (const one of update.changed) if (isIn(one)) one.suppressed = false;
  await writeParticipants(change, [...update.changed]);
  if (update.hasChanged()) await writeCall(change, call);
  const has_new_pin =
    before !== undefined && (await renewPin(change, call, update.renews_pin ? undefined : before.admission));
  await applyEffects(change, update);
  const run_at = update.nextCheckAt();
  if (run_at) change.enqueue(checkCall, { call_id: call.id }, { run_at, key: `call:${call.id}` });
  // Replaces the next check, which an ended call does not need.
  else if (update.hasChanged()) runAfterCommit(change, closeRoom, { room: call.id }, `call:${call.id}`);
  if (update.hasChanged() || has_other_change || has_new_pin || is_recording_over)
    await emitCall(change, call, [...update.changed]);
  if (update.hasChanged() && call.room_id !== null) await emitRoom(change, sql`r.id = ${call.room_id}`);
  // After the events about the call.
  if (call.state === 'ended' && update.hasChanged()) endLinkGuests(change, call);
  return call;
}

/**
 * Notifies everybody in a call of its state; those who were removed, or joined by a link that is now closed, are only
 * notified that they left. Those for whom it is over see it as `GET /calls/{join_code}` then shows it.
 */
export async function emitCall(change: Change, call: CallRow, changed: ParticipantRow[]): Promise<void> {
  const partial_views = await selectPartialViews(change.db, call);
  const recipients = call.participants.flatMap((one) =>
    !one.suppressed && (changed.includes(one) || isNotified(call, one)) ? (one.user_id ?? one.guest_id ?? []) : [],
  );
  const dialled_by = new Set(
    call.participants.flatMap((one) => one.phone_known_to ?? ((one.contact_id && one.invited_by) || [])),
  );
  const event = call.state === 'ended' ? callEnded : callUpdated;
  // One event for all who see the same; the person who called a phone or a contact sees more, and a block hides some.
  const hasOwnView = (id: string) => dialled_by.has(id) || partial_views.has(id);
  const others = recipients.filter((id) => !hasOwnView(id));
  if (others.length > 0) change.emit(event, others.map(topicOf), { call: presentCall(call, { ...change, id: '' }) });
  for (const id of recipients.filter(hasOwnView))
    change.emit(event, [topicOf(id)], { call: presentCall(partial_views.get(id) ?? call, { ...change, id }) });
}

const topicOf = (user_id: string) => `user:${user_id}` as const;

/**
 * One statement each, in one round trip: for a list of rows the planner assumes a hundred, and scans the whole table.
 */
async function writeParticipants({ db }: Change, changed: ParticipantRow[]): Promise<void> {
  const write = (one: ParticipantRow) =>
    db.run(sql`
      update call_participants set state = ${one.state}, role = ${one.role}, invited = ${one.invited}::boolean,
        suppressed = ${one.suppressed}::boolean, not_alerted = ${one.not_alerted}::boolean, invited_by = ${one.invited_by},
        contact_id = ${one.contact_id}, rung_at = ${one.rung_at}, joining_at = ${one.joining_at},
        joined_at = ${one.joined_at}, left_at = ${one.left_at}, removed_at = ${one.removed_at},
        grant_generation = ${one.grant_generation} where id = ${one.id}`);
  await Promise.all(changed.map(write));
}

async function writeCall({ db }: Change, call: CallRow): Promise<void> {
  const new_host = call.participants.find((one) => one.role === 'host');
  if (new_host?.user && new_host.user_id === call.host_id) call.host = new_host.user;
  await db.run(sql`
    update calls set state = ${call.state}, host_id = ${call.host_id}, empty_since = ${call.empty_since},
      ended_at = ${call.ended_at}, end_reason = ${call.end_reason} where id = ${call.id}`);
}

/** Removes participants in a block with the new host: before, both were guests of another host. */
async function removeBlockedFromHost(change: Change, update: CallUpdate): Promise<void> {
  const present = update.call.participants.filter((one) => one.user_id !== null && isPresent(one));
  const ids = present.flatMap(({ user_id }) => user_id ?? []);
  const blocked = await selectBlocked(change.db, update.call.host_id, ids);
  for (const one of present.filter(({ user_id }) => user_id !== null && blocked.has(user_id)))
    update.apply(one, 'blocked', { grant: 'returned', removed: true });
  if (blocked.size > 0) update.settle();
}

/**
 * Applies the media server's report about a participant.
 * @param room_is_lost the media server has restarted and lost their room; its clients reconnect by themselves
 */
async function applyMediaReport(
  change: Change,
  update: CallUpdate,
  one: ParticipantRow,
  here: boolean,
  room_is_lost: boolean,
) {
  if (!here) return void update.apply(one, room_is_lost ? 'room_lost' : 'disconnected');
  // Connected with a revoked grant, while a newer one has been issued but not yet used.
  if (one.admitted_generation !== null && one.admitted_generation < one.grant_generation)
    return enqueueRemoval(change, update.call.id, one);
  if (one.state === 'joining') return void update.apply(one, 'connected');
  if (isPresent(one)) return;
  // Reconnected after a loss, unless they left voluntarily or may no longer join.
  const is_cut_off = one.state === 'left' && one.joining_at !== null;
  if (is_cut_off && (!one.user_id || (await mayReturn(change.db, update.call.id, one.user_id))))
    update.apply(one, 'connected');
  else enqueueRemoval(change, update.call.id, one);
}

/**
 * Checks a call when a time-out may be due or the media server reports a change: who is connected is always read from
 * the media server.
 */
export const checkCall = job<{ call_id: string }>({
  name: 'calls.check',
  max_attempts: 20,
  lane: 'calls',
  async run({ call_id }, services) {
    const connected = new Set(await services.media.participants(call_id));
    const room_is_lost = connected.size === 0 && !(await services.media.hasRoom(call_id));
    const began_at = services.media.began_at ?? new Date(0);
    await inChange(services, async (change) => {
      await updateCall(change, call_id, async (update) => {
        if (update.call.state === 'ended') {
          if (connected.size > 0) change.enqueue(closeRoom, { room: call_id });
          return;
        }
        for (const one of update.call.participants) {
          const here = identitiesOf(one).some((identity) => connected.has(identity));
          // After a restart some participants reconnect sooner than others: the room that exists is a new one.
          const was_lost = one.joining_at !== null && one.joining_at < began_at;
          await applyMediaReport(change, update, one, here, room_is_lost || was_lost);
        }
      });
    });
  },
});
