import { i18n } from '../../i18n/i18n.ts';

/** The label of a number or an address: common labels in the reader's language, any other as it was entered. */
export function nameOfLabel(label: string): string {
  if (label === 'home') return i18n.t('home');
  if (label === 'work') return i18n.t('work');
  if (label === 'mobile') return i18n.t('mobile');
  return label === 'other' ? i18n.t('other') : label;
}
