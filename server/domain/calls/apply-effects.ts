/** What follows from the transitions of a call outside of its own rows. */
import type { Change } from '../../kernel/services.ts';
import { insertMissedCalls } from './missed-calls.ts';
import { enqueueRemoval } from './participants.ts';
import { endLeg, isActiveLeg } from './phones/leg-rows.ts';
import { endRing } from './ringing.ts';
import type { CallRow, ParticipantRow } from './state/calls.ts';
import type { Transitions } from './state/transition.ts';

/** Applies the effects of an update: missed calls, the end of rings and phone legs, and removals from the room. */
export async function applyEffects(
  change: Change,
  { call, effects }: Pick<Transitions<ParticipantRow, CallRow>, 'call' | 'effects'>,
): Promise<void> {
  await insertMissedCalls(
    change,
    call,
    effects.flatMap(({ kind, of }) => (kind === 'missed' && !of.suppressed ? [of] : [])),
  );
  for (const { kind, of } of effects) {
    if (kind === 'silence' && of.user_id) await endRing(change, of.user_id, call.id);
    // Closing the room removes everybody from it.
    if (kind === 'remove' && call.state !== 'ended') enqueueRemoval(change, call.id, of);
    if (kind === 'hang_up' && of.leg && isActiveLeg(of.leg.state)) await endLeg(change, of.leg);
  }
}
