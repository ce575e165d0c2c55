/**
 * Dates, numbers and lists in the reader's locale (ECMA-402). To create a formatter takes some thirty times as long as to use
 * it, and lists need several for each row: each is created once.
 */
import { locale } from './locale.ts';

type Constructor<Options, Formatter> = new (locales?: Intl.LocalesArgument, options?: Options) => Formatter;

const formatters = new Map<string, unknown>();

/** The formatter of a kind with these options, in the reader's locale unless another one is given. */
function formatterOf<Options, Formatter>(
  kind: Constructor<Options, Formatter> & { name: string },
  options?: Options,
  tag = locale(),
): Formatter {
  // A formatter keeps the time zone in which it was created; the device may be in another one since.
  const key = `${kind.name} ${tag} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new kind(tag, options));
  return formatters.get(key) as Formatter;
}

/** The formatter of dates with these options. @param tag the locale, a BCP 47 tag; the reader's by default */
export const dateFormatter = (options: Intl.DateTimeFormatOptions, tag?: string): Intl.DateTimeFormat =>
  formatterOf(Intl.DateTimeFormat, options, tag);

/** A date or time, with the parts that the options name. */
export const formatDate = (at: Date | string, options: Intl.DateTimeFormatOptions): string =>
  dateFormatter(options).format(new Date(at));

/** The date and time in full: "14 May 2031 at 07:00". */
export const formatDateTime = (at: Date | string): string => formatDate(at, { dateStyle: 'long', timeStyle: 'short' });

/** A number, with a unit if the options name one. */
export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  formatterOf(Intl.NumberFormat, options).format(value);

/** A time from now: "3 days ago". */
export const formatRelativeTime = (
  amount: number,
  unit: Intl.RelativeTimeFormatUnit,
  options?: Intl.RelativeTimeFormatOptions,
): string => formatterOf(Intl.RelativeTimeFormat, options).format(amount, unit);

/** A day by its distance from today, as a sentence begins: "Yesterday". */
export function formatRelativeDay(days: number): string {
  const words = formatRelativeTime(days, 'day', { numeric: 'auto' });
  return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
}

/** "Ada, Ben and Cem". */
export const formatList = (names: readonly string[]): string => formatterOf(Intl.ListFormat).format(names);
