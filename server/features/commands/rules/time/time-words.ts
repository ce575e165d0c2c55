/** English words for times: numbers, units, days, months, parts of the day and zones. */

const small = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const numbers = new Map<string, number>([
  ...small.map((word, value): [string, number] => [word, value]),
  ...tens.flatMap((word, at) =>
    ['', ...small.slice(1, 10)].map((one, value): [string, number] => [
      one ? `${word}-${one}` : word,
      (at + 2) * 10 + value,
    ]),
  ),
  ['a', 1],
  ['an', 1],
]);

/** A number in digits or as a word; undefined for anything else. */
export const numberOf = (word: string): number | undefined =>
  /^\d{1,4}$/.test(word) ? Number(word) : numbers.get(word);

/** A unit of durations. */
export type Unit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';
const unit_words: Record<string, Unit> = {
  m: 'minutes',
  min: 'minutes',
  mins: 'minutes',
  minute: 'minutes',
  minutes: 'minutes',
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
  hour: 'hours',
  hours: 'hours',
  d: 'days',
  day: 'days',
  days: 'days',
  week: 'weeks',
  weeks: 'weeks',
  month: 'months',
  months: 'months',
  year: 'years',
  years: 'years',
};
/** The unit that a word or its abbreviation names. */
export const unitOf = (word: string | undefined): Unit | undefined =>
  word !== undefined && Object.hasOwn(unit_words, word) ? unit_words[word] : undefined;

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const short_days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** 1 for Monday to 7; undefined for anything else. Plurals count: "on mondays". */
export function weekDayOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const bare = word.replace(/\.$/, '');
  const at = days.findIndex((day, index) => [day, `${day}s`, short_days[index]].includes(bare));
  const other = { tues: 2, weds: 3, thur: 4, thurs: 4 }[bare];
  return at >= 0 ? at + 1 : other;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** 1 to 12; undefined for anything else. */
export function monthOf(word: string | undefined): number | undefined {
  const bare = word?.replace(/\.$/, '') ?? '';
  if (bare.length < 3) return undefined;
  const at = months.findIndex(
    (month) => month === bare || month.slice(0, 3) === bare || (bare === 'sept' && month === 'september'),
  );
  return at >= 0 ? at + 1 : undefined;
}

/** The day of a month, with or without its ordinal suffix: 25, 25th. */
export function monthDayOf(word: string | undefined): number | undefined {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? '') ?? [];
  const day = Number(digits);
  return digits && day >= 1 && day <= 31 ? day : undefined;
}

/** The default hour of a part of the day, and whether an hour in it is p.m. */
export const day_parts: Record<string, { hour: number; is_late: boolean }> = {
  morning: { hour: 9, is_late: false },
  noon: { hour: 12, is_late: true },
  midday: { hour: 12, is_late: true },
  lunchtime: { hour: 12, is_late: true },
  afternoon: { hour: 15, is_late: true },
  evening: { hour: 19, is_late: true },
  night: { hour: 21, is_late: true },
};

const zones: Record<string, string> = {
  utc: 'UTC',
  gmt: 'UTC',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  bst: 'Europe/London',
  cet: 'Europe/Paris',
  cest: 'Europe/Paris',
};
/** The zone of an abbreviation, or an IANA name with a slash; undefined for anything else. */
export const zoneOf = (word: string): string | undefined =>
  Object.hasOwn(zones, word) ? zones[word] : /^[a-z_]+\/[a-z_/+-]+$/i.test(word) ? word : undefined;
