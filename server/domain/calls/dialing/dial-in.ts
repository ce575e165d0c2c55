/** Dial-in: phones that call the service's number and enter the PIN of a call. */
import type { Admitted, DialIn } from '../../../engines/ports.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { countryOf } from '../../../kernel/formats/phone.ts';
import { change as inChange, type Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import { isPresent } from '../state/transition.ts';
import { updateCall } from '../update-call.ts';
import { maskNumberIn } from '../state/calls.ts';
import type { Tier } from '../../../kernel/caller.ts';
import { newParticipant, hasCapacity, fitsPlan, insertParticipants } from '../participants.ts';
import { endLegAtLimit, scheduleLegCheck } from './phone-legs.ts';
import { phone_limits } from '../phones/phone-policy.ts';
import { areNotBlocked } from '../../visibility/people.ts';

/** Wrong PINs that a phone may enter in ten minutes. */
const max_wrong_pins = 5;

/** Whether a phone has withheld its number: it is then identified by this call only, and by another one next time. */
const isWithheld = ({ from }: DialIn): boolean => !from.startsWith('+');
/** The key of the budget of wrong PINs, which all phones that withhold their number share. */
const withheld = 'withheld';

/** Admits a phone that dialled in to the call of its PIN; undefined when the PIN is wrong. */
export async function admitByPin(services: Services, dial_in: DialIn): Promise<Admitted | undefined> {
  const { bus, throttle } = services;
  const attempts = await bus.increment(`dial-in:${dial_in.from}`, 10 * 60_000);
  if (attempts > max_wrong_pins) return undefined;
  if (!isWithheld(dial_in)) return admitPhone(services, dial_in);
  const { remaining } = await throttle.peek('dial_in_guess', withheld);
  const admitted = remaining > 0 ? await admitPhone(services, dial_in) : undefined;
  if (!admitted) await throttle.tryConsume('dial_in_guess', withheld);
  return admitted;
}

async function admitPhone(services: Services, { from, pin, carrier_id }: DialIn): Promise<Admitted | undefined> {
  return inChange(services, async (change) => {
    const { db, id, now } = change;
    const call = await db.maybe<{ id: string; tier: Tier }>(sql`
      select c.id, u.tier from calls c join users u on u.id = c.host_id where c.dial_in_pin = ${pin} and c.state <> 'ended'`);
    if (!call || (await isBarredFromCall(db, call.id, from))) return undefined;
    let admitted: Admitted | undefined;
    await updateCall(change, call.id, async (update) => {
      const known = update.call.participants.find((one) => one.user_id === null && one.phone === from);
      // Refusals are like a wrong PIN: a carrier that has already put the phone into the room removes it again.
      if (update.call.state === 'ended' || known?.removed_at || (known && isPresent(known))) return false;
      if (!known && update.call.locked) return false;
      if (!fitsPlan(update.call, 1, call.tier) || !hasCapacity(update.call, known ? 0 : 1)) return false;
      const participant = known ?? {
        ...newParticipant(id('part'), null, 'Phone'),
        name_is_default: true,
        phone: from,
        invited: false,
        joining_at: now,
      };
      if (known) update.apply(known, 'answered');
      else await insertParticipants(db, call.id, [participant]);
      if (!known) update.call.participants.push(participant);
      const leg_id = id('leg');
      const { max_duration_s } = phone_limits[call.tier];
      await db.run(sql`
        with leg as (
          insert into call_legs (id, call_id, participant_id, number, country, state, max_duration_s, carrier_id, created_at, answered_at)
          values (${leg_id}, ${call.id}, ${participant.id}, ${from}, ${countryOf(from)}, 'answered', ${max_duration_s}, ${carrier_id}, ${now}, ${now}))
        update call_participants set leg_id = ${leg_id} where id = ${participant.id}`);
      participant.leg = { id: leg_id, state: 'answered' };
      change.enqueue(endLegAtLimit, { leg_id }, { key: `cut:${leg_id}`, run_at: after(now, max_duration_s) });
      scheduleLegCheck(change, services.telephony, leg_id, 'answered');
      admitted = {
        leg_id,
        room: call.id,
        identity: participant.id,
        name: maskNumberIn(participant.name, from),
        max_duration_s,
      };
      return true;
    });
    return admitted;
  });
}

/**
 * Whether a number belongs to an account that may not enter a call: removed by the host, suspended, or in a block with
 * the host.
 */
async function isBarredFromCall(db: Queryable, call_id: string, number: string): Promise<boolean> {
  const rows = await db.run(sql`
    select 1 from users u join calls c on c.id = ${call_id}
    where u.mobile_number = ${number} and u.mobile_verified and u.deleted_at is null and (
      u.suspended_at is not null
      or not ${areNotBlocked(sql`c.host_id`, 'u.id')}
      or exists (
        select 1 from call_participants v where v.call_id = c.id and v.user_id = u.id and v.removed_at is not null))`);
  return rows > 0;
}
