/** Phone legs: connecting a phone to a call, from dialling to hanging up, as the carrier reports it. */
import type { LegReport } from '../../../engines/ports.ts';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import { change as inChange, type Change, type Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import { terms, type ParticipantEvent } from '../state/call-machine.ts';
import { isPresent } from '../state/transition.ts';
import { hangUp } from '../call-jobs.ts';
import { updateCall, type CallUpdate } from '../update-call.ts';
import { legStateOf, mayTransition } from '../phones/carrier-codes.ts';
import { maskNumberIn, type CallRow, type LegState, type ParticipantRow } from '../state/calls.ts';
import type { Tier } from '../../../kernel/caller.ts';
import { isNumberBlocked } from '../../visibility/numbers.ts';
import { active_leg_states, isActiveLeg, updateLeg } from '../phones/leg-rows.ts';
import { planLegs } from '../phones/phone-policy.ts';

/** How long after the latest possible end of ringing the carrier is polled for the outcome, in seconds. */
const poll_after_s = terms.ring_s + 15;

/** Rings the phones of participants, at the cost of one account. @throws ApiError `rate_limited` */
export async function createLegs(
  change: Change,
  call: CallRow,
  parts: ParticipantRow[],
  payer: { user_id: string; tier: Tier },
): Promise<void> {
  const phones = parts.flatMap((participant) =>
    participant.phone ? [{ participant, number: participant.phone }] : [],
  );
  for (const [at, plan] of (
    await planLegs(
      change.db,
      payer,
      phones.map(({ number }) => number),
      change.now,
    )
  ).entries()) {
    const phone = phones[at];
    if (phone) await createLeg(change, call, { ...phone, ...plan, dialled_by: payer.user_id });
  }
}

type NewLeg = {
  participant: ParticipantRow;
  number: string;
  country: string;
  rate_micros: number;
  reserved_micros: number;
  max_duration_s: number;
  dialled_by: string;
};

/** Inserts a leg and dials it after the commit. */
export async function createLeg(change: Change, call: CallRow, leg: NewLeg): Promise<void> {
  const { db, now, id, enqueue } = change;
  const leg_id = id('leg');
  await db.run(sql`
    with leg as (
      insert into call_legs (id, call_id, participant_id, dialled_by, number, country, state, rate_micros, reserved_micros, max_duration_s, created_at)
      values (${leg_id}, ${call.id}, ${leg.participant.id}, ${leg.dialled_by}, ${leg.number}, ${leg.country}, 'queued', ${leg.rate_micros},
        ${leg.reserved_micros}, ${leg.max_duration_s}, ${now}))
    update call_participants set leg_id = ${leg_id} where id = ${leg.participant.id}`);
  leg.participant.leg = { id: leg_id, state: 'queued' };
  enqueue(dialLeg, { leg_id }, { key: `dial:${leg_id}` });
  enqueue(checkLeg, { leg_id }, { key: `look:${leg_id}`, run_at: after(now, poll_after_s) });
}

type LegRow = {
  id: string;
  call_id: string;
  participant_id: string;
  number: string;
  state: LegState;
  carrier_id: string | null;
  max_duration_s: number;
  rate_micros: number;
  created_at: Date;
  answered_at: Date | null;
};

/**
 * Asks the carrier to ring a phone, once: an interrupted run is found by `checkLeg`. The phone of an account in a block
 * with the caller or the host, and a number that has been rung too often, is not dialled, which looks like an
 * unanswered phone.
 */
const dialLeg = job<{ leg_id: string }>({
  name: 'calls.dial',
  max_attempts: 5,
  lane: 'calls',
  async run({ leg_id }, services) {
    const leg = await services.db.maybe<LegRow & { name: string; host: string; is_blocked: boolean }>(sql`
      update call_legs l set code = 'service:dialling' from call_participants p, calls c join users host on host.id = c.host_id
      where l.id = ${leg_id} and l.state = 'queued' and l.code is null and p.id = l.participant_id and c.id = l.call_id
        and c.state <> 'ended' and p.state in ('ringing', 'joining', 'joined')
      returning l.id, l.call_id, l.participant_id, l.number, l.max_duration_s, p.name, host.display_name as host,
        (${isNumberBlocked(sql`l.dialled_by`, sql`l.number`)} or ${isNumberBlocked(sql`c.host_id`, sql`l.number`)}) as is_blocked`);
    if (!leg) return;
    if (leg.is_blocked || !(await services.throttle.tryConsume('number_ring', leg.number)))
      return pretendRing(services, leg_id);
    const phone = {
      leg_id,
      to: leg.number,
      room: leg.call_id,
      identity: leg.participant_id,
      // Everybody in the room can read it.
      name: maskNumberIn(leg.name, leg.number),
      ring_s: terms.ring_s,
      max_duration_s: leg.max_duration_s,
    };
    // A carrier whose phones are participants of the media server joins a room, but does not create it.
    const answer = await services.media
      .openRoom(leg.call_id)
      .then(() => services.telephony.dial(phone))
      .catch((error: unknown) => {
        services.log.warn({ err: error, leg_id }, 'failed to dial a phone');
        return { refused: 'service:unreachable' };
      });
    if ('refused' in answer) return reportLeg(services, { leg_id, code: answer.refused });
    await inChange(services, async (change) => {
      const { db, enqueue } = change;
      const { state } = await db.one<{ state: ParticipantRow['state'] }>(sql`
        update call_legs l set carrier_id = ${answer.carrier_id} from call_participants p
        where l.id = ${leg_id} and p.id = l.participant_id returning p.state`);
      // If the leg was ended while dialling, there was nothing to hang up yet.
      if (!isPresent({ state })) enqueue(hangUp, { leg_id }, { key: `hang-up:${leg_id}` });
      else scheduleLegCheck(change, services.telephony, leg_id, 'ringing');
    });
  },
});

/** How long a leg that is not dialled stays queued, in seconds: about as long as carriers take to ring a phone. */
const connects_after_s = 2;

/** Shows a leg that is not dialled as ringing, until the ring times out. */
const pretendRing = (services: Services, leg_id: string): Promise<void> =>
  inChange(services, async ({ enqueue, now }) => {
    enqueue(showRinging, { leg_id }, { key: `show-ringing:${leg_id}`, run_at: after(now, connects_after_s) });
  });

const showRinging = job<{ leg_id: string }>({
  name: 'calls.show-ringing',
  max_attempts: 5,
  lane: 'calls',
  run: ({ leg_id }, services) => reportLeg(services, { leg_id, code: 'service:ringing' }),
});

/**
 * Polls the carrier about a leg: once when it has not been reported on for long, and periodically with carriers that
 * must be polled.
 */
const checkLeg = job<{ leg_id: string }>({
  name: 'calls.look-at-leg',
  max_attempts: 5,
  lane: 'calls',
  async run({ leg_id }, services) {
    const { telephony, clock } = services;
    const leg = await services.db.maybe<LegRow>(
      sql`select * from call_legs where id = ${leg_id} and state = any(${active_leg_states}::text[])`,
    );
    if (!leg || (leg.state === 'answered' && !telephony.poll_every_s)) return;
    const carrier_report = await telephony.fetchLegState(leg_id, leg.carrier_id);
    // A connected leg that the carrier no longer knows has hung up.
    const report = carrier_report ?? (leg.state === 'answered' ? { leg_id, code: 'service:hung_up' } : undefined);
    const state = report ? legStateOf(report.code) : leg.state;
    const is_late = !telephony.poll_every_s || after(leg.created_at, poll_after_s) <= clock.now();
    if (is_late && (state === 'queued' || state === 'ringing'))
      return reportLeg(services, { leg_id, code: 'service:lost' });
    if (report) await reportLeg(services, report);
    if (isActiveLeg(state))
      await inChange(services, async (change) => scheduleLegCheck(change, telephony, leg_id, state));
  },
});

/** Schedules a status check of a leg, with carriers that must be polled. */
export function scheduleLegCheck(
  { enqueue, now }: Change,
  { poll_every_s }: Services['telephony'],
  leg_id: string,
  state: LegState,
) {
  if (!poll_every_s) return;
  const wait_s = state === 'answered' ? poll_every_s.answered : poll_every_s.ringing;
  enqueue(checkLeg, { leg_id }, { key: `look:${leg_id}`, run_at: after(now, wait_s) });
}

/** Ends a leg at its maximum duration, in case the carrier has not. */
export const endLegAtLimit = job<{ leg_id: string }>({
  name: 'calls.cut-leg',
  max_attempts: 10,
  lane: 'calls',
  async run({ leg_id }, services) {
    const leg = await services.db.maybe<LegRow>(
      sql`select * from call_legs where id = ${leg_id} and state = 'answered'`,
    );
    if (!leg) return;
    await services.telephony.hangUp(leg_id, leg.carrier_id);
    await reportLeg(services, { leg_id, code: 'service:hung_up' });
  },
});

/** The effect of a leg's state on a participant who is connected by phone only. */
const leg_events: Partial<Record<LegState, ParticipantEvent>> = {
  answered: 'answered',
  busy: 'engaged',
  no_answer: 'ring_over',
  failed: 'unreachable',
};

/**
 * Applies a carrier's report about a leg. Reports may be duplicated and out of order: a leg only moves forward, and its
 * state is shown in the room and stored for the history.
 */
export async function reportLeg(services: Services, { leg_id, code, cost_micros }: LegReport): Promise<void> {
  const known = await services.db.maybe<{ call_id: string }>(sql`select call_id from call_legs where id = ${leg_id}`);
  if (!known) return;
  await inChange(services, async (change) => {
    await updateCall(change, known.call_id, async (update) => {
      const leg = await change.db.one<LegRow>(sql`select * from call_legs where id = ${leg_id} for update`);
      const state = legStateOf(code);
      if (!mayTransition(leg.state, state)) return false;
      await updateLeg(change.db, leg_id, { state, code, cost_micros }, change.now);
      if (state === 'answered')
        change.enqueue(
          endLegAtLimit,
          { leg_id },
          { key: `cut:${leg_id}`, run_at: after(change.now, leg.max_duration_s) },
        );
      const participant = update.call.participants.find(({ id }) => id === leg.participant_id);
      if (participant?.leg?.id !== leg_id) return false;
      participant.leg.state = state;
      applyLegState(update, participant, state);
      return true;
    });
  });
}

function applyLegState(update: CallUpdate, participant: ParticipantRow, state: LegState): void {
  // Participants connected by their own client stay; the media server reports their state.
  const is_by_phone = participant.user_id === null;
  if (state === 'hung_up') {
    if (!update.apply(participant, 'ring_over') && is_by_phone)
      update.apply(participant, 'departed', { grant: 'returned' });
    return;
  }
  const event = leg_events[state];
  if (event && (is_by_phone || participant.state === 'ringing')) update.apply(participant, event);
}

/** The jobs of phone legs. */
export const phone_leg_jobs = [dialLeg, showRinging, checkLeg, endLegAtLimit];
