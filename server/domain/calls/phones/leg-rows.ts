/** The rows of phone legs, which both the call machine and the carrier's reports update. */
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import type { Change } from '../../../kernel/services.ts';
import { hangUp } from '../call-jobs.ts';
import type { LegState, ParticipantRow } from '../state/calls.ts';

/** The states of a leg that is ringing or connected. */
export const active_leg_states = ['queued', 'ringing', 'answered'] as const satisfies LegState[];

/** Whether a leg is still ringing or connected. */
export const isActiveLeg = (state: LegState) => (active_leg_states as readonly LegState[]).includes(state);

/**
 * Updates a leg; returns its state, which is final once the leg is over. Carriers bill whole minutes: if none reports
 * the cost, it is computed from the rate.
 */
export async function updateLeg(
  db: Queryable,
  leg_id: string,
  { state, code, cost_micros }: { state: LegState; code: string; cost_micros?: number | undefined },
  now: Date,
): Promise<LegState | undefined> {
  const is_over = !isActiveLeg(state);
  const row = await db.maybe<{ state: LegState }>(sql`
    update call_legs set state = ${state}, code = ${code},
      cost_micros = case when ${is_over} then coalesce(${cost_micros ?? null}::bigint,
        coalesce(ceil(extract(epoch from ${now}::timestamptz - answered_at) / 60), 0)::bigint * rate_micros) end,
      answered_at = case when ${state} = 'answered' then ${now}::timestamptz else answered_at end,
      ended_at = case when ${is_over} then ${now}::timestamptz end
    where id = ${leg_id} and state = any(${active_leg_states}::text[]) returning state`);
  return row?.state;
}

/** Ends a phone's leg: in the database at once, and then at its carrier. */
export async function endLeg(change: Change, leg: NonNullable<ParticipantRow['leg']>): Promise<void> {
  leg.state = leg.state === 'answered' ? 'hung_up' : 'no_answer';
  await updateLeg(change.db, leg.id, { state: leg.state, code: 'service:hung_up' }, change.now);
  change.enqueue(hangUp, { leg_id: leg.id }, { key: `hang-up:${leg.id}` });
}
