import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

/** The label of a number or an address: common labels in the reader's language, any other as it was entered. */
export function nameOfLabel(label: string): string {
  if (label === 'home') return i18n.t('home');
  if (label === 'work') return i18n.t('work');
  if (label === 'mobile') return i18n.t('mobile');
  return label === 'other' ? i18n.t('other') : label;
}

/** The name of a label for a choice of labels: capitalised, and a dash for none. */
export function capitalLabel(label: string): string {
  const name = nameOfLabel(label);
  return name === '' ? '–' : name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}
