/** The PINs with which phones dial in to calls: drawing them, and replacing them when fewer people may join. */
import { randomInt } from 'node:crypto';
import { sql } from '../../../kernel/database/database.ts';
import { job } from '../../../kernel/job.ts';
import type { Change } from '../../../kernel/services.ts';
import { privacy_values, type CallRow } from '../state/calls.ts';

/** A PIN of eight digits; a phone has five attempts in ten minutes. */
export const generatePin = () => String(randomInt(10 ** 8)).padStart(8, '0');

/** Registers the PIN of a call with a carrier that checks PINs itself, in place of an earlier one. */
export const openDialInRoute = job<{ call_id: string }>({
  name: 'calls.open-dial-in-route',
  max_attempts: 5,
  lane: 'calls',
  async run({ call_id }, services) {
    const call = await services.db.maybe<{ dial_in_pin: string | null }>(
      sql`select dial_in_pin from calls where id = ${call_id} and state <> 'ended'`,
    );
    if (!call?.dial_in_pin || !services.telephony.dial_in_route) return;
    await services.media.openRoom(call_id);
    await services.telephony.dial_in_route.open(call_id, call.dial_in_pin);
  },
});

/** Registers the PIN of a call after the commit, with a carrier that checks PINs itself. */
export function enqueueDialInRoute(
  { enqueue, services: { telephony } }: Pick<Change, 'enqueue' | 'services'>,
  call_id: string,
) {
  if (telephony.dial_in_route) enqueue(openDialInRoute, { call_id }, { key: `dial_in_route:${call_id}` });
}

/** Who may join a call, as far as that decides whether its PIN stays valid. */
export const admissionOf = ({ locked, privacy, participants }: CallRow) => ({
  locked,
  privacy,
  removed: new Set(participants.filter(({ removed_at }) => removed_at !== null)),
});

/** Whether people who know the PIN of a call may no longer join it: removed, locked out, or no longer admitted. */
function hasNarrowed(before: ReturnType<typeof admissionOf>, call: CallRow): boolean {
  const { locked, privacy, removed } = admissionOf(call);
  return (
    (locked && !before.locked) ||
    privacy_values.indexOf(privacy) < privacy_values.indexOf(before.privacy) ||
    [...removed].some((one) => !before.removed.has(one))
  );
}

/**
 * Draws another PIN for a call if fewer people may join it than before.
 * @param before who could join before; undefined if it is known that they were more
 * @returns whether it did
 */
export async function renewPin(
  change: Change,
  call: CallRow,
  before: ReturnType<typeof admissionOf> | undefined,
): Promise<boolean> {
  if (call.dial_in_pin === null || call.state === 'ended' || (before && !hasNarrowed(before, call))) return false;
  // One of several, so that another call's PIN cannot make a removal fail.
  const drawn = [generatePin(), generatePin(), generatePin()];
  const { pin } = await change.db.one<{ pin: string | null }>(sql`
    update calls set dial_in_pin = (
      select d.pin from unnest(${drawn}::text[]) as d(pin)
      where not exists (select 1 from calls o where o.dial_in_pin = d.pin and o.state <> 'ended') limit 1)
    where id = ${call.id} returning dial_in_pin as pin`);
  call.dial_in_pin = pin;
  enqueueDialInRoute(change, call.id);
  return true;
}
