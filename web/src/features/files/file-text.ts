import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** The size of a file: "340 kB". */
export function describeSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** The name of a kind of file. @param kind an unknown one is named a file */
export function nameOfFile(kind: string | undefined): string {
  if (kind === 'image') return i18n.t('Picture');
  if (kind === 'audio') return i18n.t('Audio');
  return kind === 'video' ? i18n.t('Video') : i18n.t('File');
}
