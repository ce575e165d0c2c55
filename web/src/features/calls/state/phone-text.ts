import type { CallParticipant } from './ring-mutations.ts';
import { i18n } from '../../../i18n/i18n.ts';

type LegState = NonNullable<CallParticipant['leg']>['state'];

/** The states of a phone's leg. */
const LEG_WORDS: Readonly<Record<LegState, string>> = {
  get queued() {
    return i18n.t('Dialling…');
  },
  get ringing() {
    return i18n.t('Phone rings…');
  },
  get answered() {
    return i18n.t('On the phone');
  },
  get busy() {
    return i18n.t('Line is busy');
  },
  get no_answer() {
    return i18n.t('No answer');
  },
  get failed() {
    return i18n.t('Couldn’t be reached');
  },
  get hung_up() {
    return i18n.t('Hung up');
  },
};

/** The state of a phone's leg, in words. */
export function describeLeg(state: LegState): string {
  return LEG_WORDS[state];
}

const OVER = new Set<LegState>(['busy', 'no_answer', 'failed', 'hung_up']);

/** Whether a phone's leg has ended, so that it can be rung again. */
export function isOver(state: LegState): boolean {
  return OVER.has(state);
}
