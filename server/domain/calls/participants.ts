/** Participants: creating their rows, and the capacity of a call. */
import { join, sql, type Queryable } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { runAfterCommit, removeFromRoom } from './call-jobs.ts';
import { isPresent, revokeGrants } from './state/transition.ts';
import { withholdRecording } from './stop-recording.ts';
import { identitiesOf } from './state/room-identities.ts';
import { endLeg, isActiveLeg } from './phones/leg-rows.ts';
import type { CallRow, ParticipantRow } from './state/calls.ts';
import { plan_limits } from '../accounts/entitlements.ts';
import type { Tier } from '../../kernel/caller.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** Whether a call has capacity for this many new participants; all participants that it ever had count. */
export const hasCapacity = (call: CallRow, fresh: number): boolean =>
  call.participants.length + fresh <= default_limits.call_participants;

/** Whether a plan allows this many more concurrent participants. The owner and their whole grid always fit. */
export function fitsPlan(call: CallRow, coming: number, tier: Tier): boolean {
  const { call_participants, grid_members } = plan_limits[tier];
  const max_participants = call.of_grid ? Math.max(call_participants, grid_members + 1) : call_participants;
  return call.participants.filter(isPresent).length + coming <= max_participants;
}

/**
 * Checks the host's plan, also for people whom others add. The lock on the call prevents two concurrent joins from both taking the last
 * place.
 * @throws ApiError `plan_limit_reached`
 */
export async function requireCapacity(db: Queryable, call: CallRow, coming = 0, known_tier?: Tier): Promise<void> {
  const tier =
    known_tier ?? (await db.one<{ tier: Tier }>(sql`select tier from users where id = ${call.host_id}`)).tier;
  if (!fitsPlan(call, coming, tier)) fail('plan_limit_reached');
}

/** Prevents a person who is not in a call from rejoining unless called. The caller has locked the call. */
export async function preventRejoin(change: Change, call_id: string, participant: ParticipantRow): Promise<void> {
  if (participant.removed_at) return;
  participant.removed_at = change.now;
  await withholdRecording(change, call_id, [participant]);
  await revokeGrantsOf(change, call_id, participant);
}

/**
 * Revokes the grants of a person who is not in a call, and removes them in case they are currently connecting, also by
 * their own phone, which may still ring.
 */
export async function revokeGrantsOf(change: Change, call_id: string, participant: ParticipantRow): Promise<void> {
  revokeGrants(participant);
  await change.db.run(sql`
    update call_participants set removed_at = ${participant.removed_at}, joining_at = ${participant.joining_at},
      grant_generation = ${participant.grant_generation} where id = ${participant.id}`);
  if (participant.leg && isActiveLeg(participant.leg.state)) await endLeg(change, participant.leg);
  enqueueRemoval(change, call_id, participant);
}

/**
 * Removes a participant from the room of a call, with any earlier grant, and their phone: until the carrier
 * has hung up, it would hear the call.
 */
export function enqueueRemoval(change: Change, call_id: string, one: ParticipantRow): void {
  for (const identity of identitiesOf(one)) {
    const payload = { room: call_id, identity, generation: one.grant_generation };
    runAfterCommit(change, removeFromRoom, payload, `remove:${call_id}:${identity}`);
  }
}

/** A new participant in state `joining`. */
export function newParticipant(id: string, user_id: string | null, name: string): ParticipantRow {
  return {
    id,
    user_id,
    guest_id: null,
    user: null,
    name,
    name_is_default: false,
    state: 'joining',
    role: 'guest',
    invited: true,
    phone: null,
    phone_known_to: null,
    contact_id: null,
    invited_by: null,
    leg: null,
    suppressed: false,
    not_alerted: false,
    rung_at: null,
    joining_at: null,
    joined_at: null,
    left_at: null,
    removed_at: null,
    grant_generation: 0,
    admitted_generation: null,
    hand_raised_at: null,
    asks_consent: false,
    recording_consent: null,
  };
}

/** Inserts new participants. */
export async function insertParticipants(
  db: Queryable,
  call_id: string,
  participants: ParticipantRow[],
): Promise<void> {
  if (participants.length === 0) return;
  const rows = participants.map(
    (
      one,
    ) => sql`(${one.id}, ${call_id}, ${one.user_id}, ${one.guest_id}, ${one.name}, ${one.name_is_default}::boolean, ${one.state}, ${one.role}, ${one.invited}::boolean,
      ${one.suppressed}::boolean, ${one.not_alerted}::boolean, ${one.phone}, ${one.phone_known_to}, ${one.contact_id}, ${one.invited_by},
      ${one.rung_at}::timestamptz, ${one.joining_at}::timestamptz)`,
  );
  await db.run(sql`
    insert into call_participants (id, call_id, user_id, guest_id, name, name_is_default, state, role, invited, suppressed, not_alerted, phone, phone_known_to, contact_id, invited_by,
      rung_at, joining_at) values ${join(rows)}`);
}
