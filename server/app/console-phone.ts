/** The other end of phone calls, as the console plays it. */
import { legStateOf, mayFollow } from '../domain/carrier-codes.ts';
import type { LegState } from '../domain/conferences.ts';
import { reportLeg } from '../domain/phone-legs.ts';
import { sql } from '../kernel/database.ts';
import { ApiError, found, invalid } from '../kernel/errors.ts';
import { object, oneOf, optional, Type, type Static } from '../kernel/schema.ts';
import type { Services } from '../kernel/services.ts';

export const LegMove = object({
  state: oneOf('ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up'),
  digits: optional(Type.String({ pattern: '^[0-9*#A-D]{1,64}$' })),
});
export type LegMove = Static<typeof LegMove>;

type LegRow = {
  id: string;
  call_id: string;
  number: string;
  name: string;
  state: LegState;
  code: string | null;
  created_at: Date;
  answered_at: Date | null;
  ended_at: Date | null;
};

const selectLegs = (services: Services, which: ReturnType<typeof sql>) =>
  services.db.many<LegRow>(sql`
    select l.id, l.call_id, l.number, p.name, l.state, l.code, l.created_at, l.answered_at, l.ended_at
    from call_legs l join call_participants p on p.id = l.participant_id ${which}`);

const present = ({ id, call_id, number, name, state, code, created_at, answered_at, ended_at }: LegRow) => ({
  leg_id: id,
  conference_id: call_id,
  number,
  name,
  state,
  code,
  created_at: created_at.toISOString(),
  answered_at: answered_at?.toISOString() ?? null,
  ended_at: ended_at?.toISOString() ?? null,
});

/** The legs of all phones, the newest first. */
export async function listLegs(services: Services, { limit = 30, offset = 0 }: { limit?: number; offset?: number }) {
  const rows = await selectLegs(services, sql`order by l.id desc limit ${limit + 1} offset ${offset}`);
  return { items: rows.slice(0, limit).map(present), has_more: rows.length > limit };
}

/** Does what somebody with that phone would do, and answers the leg as it is then. */
export async function playLeg(services: Services, leg_id: string, { state, digits }: LegMove) {
  const leg = found((await selectLegs(services, sql`where l.id = ${leg_id}`))[0]);
  const { simulate } = services.telephony;
  if (!simulate) throw new ApiError('not_found', { message: 'A real carrier rings these phones.' });
  if (leg.state !== state) {
    if (!mayFollow(leg.state, legStateOf(`console:${state}`))) invalid({ state: `cannot follow ${leg.state}` });
    await reportLeg(services, await simulate(leg_id, state, digits));
  } else if (digits) {
    await simulate(leg_id, state, digits);
  }
  return present(found((await selectLegs(services, sql`where l.id = ${leg_id}`))[0]));
}
