import { i18n } from '../../../i18n/i18n.ts';

/** The kinds of devices that a person chooses for calls, in the order of their fields. */
export const DEVICE_KINDS = [
  {
    kind: 'audioinput',
    get label() {
      return i18n.t('Microphone');
    },
  },
  {
    kind: 'videoinput',
    get label() {
      return i18n.t('Camera');
    },
  },
  {
    kind: 'audiooutput',
    get label() {
      return i18n.t('Speaker');
    },
  },
] as const;
