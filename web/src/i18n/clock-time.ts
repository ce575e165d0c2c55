import { locale } from './locale.ts';

/** The time of day as the reader's language writes it: 07:00, 7:00 or 7:00 AM. */
export function clockTime(at: Date | string, timeZone?: string): string {
  return new Date(at).toLocaleTimeString(locale(), {
    timeStyle: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}
