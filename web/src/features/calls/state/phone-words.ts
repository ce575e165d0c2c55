import type { CallParticipant } from '../incoming/ring-acts.ts';

type LegState = NonNullable<CallParticipant['leg']>['state'];

/** The states of a telephone's leg in words. */
const LEG_WORDS: Readonly<Record<LegState, string>> = {
  queued: 'Dialling…',
  ringing: 'Phone rings…',
  answered: 'On the phone',
  busy: 'Line is busy',
  no_answer: 'No answer',
  failed: 'Could not be reached',
  hung_up: 'Hung up',
};

/** How a telephone's leg stands, in words. */
export function describeLeg(state: LegState): string {
  return LEG_WORDS[state];
}

const OVER = new Set<LegState>(['busy', 'no_answer', 'failed', 'hung_up']);

/** Whether a telephone's leg has ended, so that it can be rung again. */
export function isOver(state: LegState): boolean {
  return OVER.has(state);
}
