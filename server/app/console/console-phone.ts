/** The other end of phone calls, simulated by the console. */
import { randomUUID } from 'node:crypto';
import { legStateOf, mayTransition } from '../../domain/calls/phones/carrier-codes.ts';
import { maskNumberIn, type LegState } from '../../domain/calls/state/calls.ts';
import { admitByPin } from '../../domain/calls/dialing/dial-in.ts';
import { reportLeg } from '../../domain/calls/dialing/phone-legs.ts';
import { isNumberBlocked } from '../../domain/visibility/numbers.ts';
import { sql } from '../../kernel/database/database.ts';
import { ApiError, found, invalid } from '../../kernel/errors.ts';
import { object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { requireNumber } from '../../kernel/formats/phone.ts';
import type { PhoneSimulator } from '../../engines/ports.ts';

const Digits = Type.String({ pattern: '^[0-9*#A-D]{1,64}$' });
const ToneHz = Type.Integer({ minimum: 300, maximum: 3_400 });

/**
 * The body of a request that operates a simulated phone: its new state, the digits that it types, and its tone in Hz.
 */
export const LegAction = object({
  state: oneOf('ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up'),
  digits: optional(Digits),
  tone_hz: optional(ToneHz),
});
export type LegAction = Static<typeof LegAction>;

/** The body of a request in which a simulated phone calls the number of the service and types digits. */
export const DialInRequest = object({
  from: Type.String({ minLength: 1, maxLength: 32 }),
  digits: Digits,
  tone_hz: optional(ToneHz),
});
export type DialInRequest = Static<typeof DialInRequest>;

type LegRow = {
  id: string;
  call_id: string;
  participant_id: string;
  number: string;
  name: string;
  max_duration_s: number;
  state: LegState;
  code: string | null;
  created_at: Date;
  answered_at: Date | null;
  ended_at: Date | null;
};

/** Reads legs, without those that a block prevents from being dialled: such a phone cannot do anything. */
const selectLegs = (services: Services, which: ReturnType<typeof sql>) =>
  services.db.many<LegRow>(sql`
    select l.id, l.call_id, l.participant_id, l.number, p.name, l.max_duration_s, l.state, l.code, l.created_at, l.answered_at, l.ended_at
    from call_legs l join call_participants p on p.id = l.participant_id
    where (l.carrier_id is not null or not ${isNumberBlocked(sql`l.dialled_by`, sql`l.number`)}) ${which}`);

const present = (row: LegRow, { telephony }: Services) => ({
  id: row.id,
  leg_id: row.id,
  conference_id: row.call_id,
  number: row.number,
  name: row.name,
  state: row.state,
  code: row.code,
  sound: telephony.simulator?.audioOf(row.id) ?? null,
  created_at: row.created_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
});

/** The phone legs of all calls, newest first. */
export async function listLegs(services: Services, { limit = 30, offset = 0 }: { limit?: number; offset?: number }) {
  const rows = await selectLegs(services, sql`order by l.id desc limit ${limit + 1} offset ${offset}`);
  return { items: rows.slice(0, limit).map((row) => present(row, services)), has_more: rows.length > limit };
}

async function requireLeg(services: Services, leg_id: string): Promise<LegRow> {
  return found((await selectLegs(services, sql`and l.id = ${leg_id}`))[0]);
}

function requireSimulator({ telephony }: Services): PhoneSimulator {
  if (!telephony.simulator)
    throw new ApiError('not_found', { message: 'Calls to phones go through the configured carrier.' });
  return telephony.simulator;
}

/** Simulates an action at the phone. @returns the updated leg */
export async function simulateLeg(services: Services, leg_id: string, { state, digits, tone_hz }: LegAction) {
  const simulator = requireSimulator(services);
  const leg = await requireLeg(services, leg_id);
  if (leg.state !== state) {
    const code = `console:${state}`;
    if (!mayTransition(leg.state, legStateOf(code))) invalid({ state: `cannot follow ${leg.state}` });
    await reportLeg(services, { leg_id, code });
  }
  // The call may have ended while the phone was answered.
  if ((await requireLeg(services, leg_id)).state !== state) invalid({ state: 'is too late' });
  const { call_id: room, participant_id: identity, max_duration_s } = leg;
  const name = maskNumberIn(leg.name, leg.number);
  const keys = { ...(digits ? { digits } : {}), ...(tone_hz ? { tone_hz } : {}) };
  await simulator.setState({ leg_id, room, identity, name, max_duration_s }, state, keys).catch(unreachable);
  return present(await requireLeg(services, leg_id), services);
}

/**
 * Simulates a phone that dials in: calls the service's number, and enters the PIN of a call.
 * @throws ApiError `not_found` for a wrong PIN
 */
export async function dialIn(services: Services, { from, digits, tone_hz }: DialInRequest) {
  const simulator = requireSimulator(services);
  const number = requireNumber('from', from);
  // The same phone may call twice, which are two calls for the carrier.
  const carrier_id = `console-${randomUUID()}`;
  const leg = await admitByPin(services, { from: number, pin: digits.replace(/#$/, ''), carrier_id });
  if (!leg) throw new ApiError('not_found', { message: 'No call has these digits.' });
  await simulator.setState(leg, 'answered', tone_hz ? { tone_hz } : {}).catch(unreachable);
  return present(await requireLeg(services, leg.leg_id), services);
}

function unreachable(cause: unknown): never {
  throw new ApiError('unavailable', { message: 'The phone could not join the room.', cause });
}
