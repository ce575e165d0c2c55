import { i18n } from '../../i18n/i18n.ts';

/** What a number or an address is called: the usual labels in the reader's language, and whatever else as it was written. */
export function nameOfLabel(label: string): string {
  if (label === 'home') return i18n.t('home');
  if (label === 'work') return i18n.t('work');
  if (label === 'mobile') return i18n.t('mobile');
  return label === 'other' ? i18n.t('other') : label;
}
