import { formatNumber } from '../../i18n/format.ts';

/** The length of a time in the reader's language: "30 min", "1 hour". @param minutes less than an hour, or whole hours */
export function describeSpan(minutes: number): string {
  const is_short = minutes < 60;
  return formatNumber(is_short ? minutes : minutes / 60, {
    style: 'unit',
    unit: is_short ? 'minute' : 'hour',
    unitDisplay: is_short ? 'short' : 'long',
  });
}
