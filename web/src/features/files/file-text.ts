import type { MediaFile } from '@asterism/sdk';
import { i18n } from '../../i18n/i18n.ts';
import { formatNumber } from '../../i18n/format.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** The size of a file: "340 kB". */
export function describeSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return formatNumber(value, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  });
}

/** The name of a kind of file. @param kind an unknown one is named a file */
export function nameOfFile(kind: string | undefined): string {
  if (kind === 'image') return i18n.t('Picture');
  if (kind === 'audio') return i18n.t('Audio');
  return kind === 'video' ? i18n.t('Video') : i18n.t('File');
}

/** The accessible name of a medium; without an author it is the reader's own. */
function nameMedium(values: { what: string; number: number; count: number; by: string | undefined }): string {
  if (values.count > 1)
    return values.by === undefined
      ? i18n.t('{what} {number} of {count}, posted by you', values)
      : i18n.t('{what} {number} of {count}, posted by {by}', values);
  return values.by === undefined ? i18n.t('{what}, posted by you', values) : i18n.t('{what}, posted by {by}', values);
}

/** All files of a post with their names. @param at when it was posted, if that is known */
export function nameMedia(files: readonly MediaFile[], by: string | undefined, at?: string) {
  return files.map((file, index) => {
    const name = nameMedium({ what: nameOfFile(file.kind), number: index + 1, count: files.length, by });
    return { file, name, by, at: at ?? file.created_at };
  });
}
