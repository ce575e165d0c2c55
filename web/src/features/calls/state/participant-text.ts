import { i18n } from '../../../i18n/i18n.ts';
import type { CallParticipant } from './ring-mutations.ts';

type State = CallParticipant['state'];

const STATES: Readonly<Record<State, string>> = {
  get ringing() {
    return i18n.t('Ringing…');
  },
  get joining() {
    return i18n.t('Joining…');
  },
  get joined() {
    return i18n.t('In the call');
  },
  get left() {
    return i18n.t('Left');
  },
  get declined() {
    return i18n.t('Declined');
  },
  get no_answer() {
    return i18n.t('No answer');
  },
  get busy() {
    return i18n.t('Busy');
  },
  get failed() {
    return i18n.t('Couldn’t be reached');
  },
};

/** The state of a participant in a call, in words. */
export const describeState = (state: State): string => STATES[state];
