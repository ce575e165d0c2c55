import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wallClock } from './wall-clock.ts';
import { i18nOf } from '../../../../kernel/language/i18n.ts';
import { readRepetition } from './read-day.ts';
import { readTime } from './read-time.ts';
import { describeMoment, describeRule } from './describe-when.ts';
import { slow } from '../../../../../testing/slow-tests.ts';

const tokenize = (phrase: string) => phrase.toLowerCase().replaceAll(',', ' , ').split(/\s+/).filter(Boolean);

/** Expected local time of each phrase on Wednesday, 18 November 2026 at 10:20, in every zone. */
const phrases: Record<string, string> = {
  today: '2026-11-18T11:20',
  'today at 5pm': '2026-11-18T17:00',
  'at 5': '2026-11-18T17:00',
  'at 9': '2026-11-18T21:00',
  'at 11': '2026-11-18T11:00',
  'at 5:30': '2026-11-18T17:30',
  'at 05:30': '2026-11-19T05:30',
  'at 17:30': '2026-11-18T17:30',
  '5pm': '2026-11-18T17:00',
  '5 p.m.': '2026-11-18T17:00',
  '9am': '2026-11-19T09:00',
  '12am': '2026-11-19T00:00',
  '12pm': '2026-11-18T12:00',
  noon: '2026-11-18T12:00',
  midnight: '2026-11-19T00:00',
  'half past five': '2026-11-18T17:30',
  'quarter to six': '2026-11-18T17:45',
  'quarter past 3 pm': '2026-11-18T15:15',
  'ten to one': '2026-11-18T12:50',
  "six o'clock": '2026-11-18T18:00',
  tonight: '2026-11-18T20:00',
  'tonight at 8': '2026-11-18T20:00',
  'this evening': '2026-11-18T19:00',
  'at 8 in the evening': '2026-11-18T20:00',
  'end of day': '2026-11-18T17:00',
  tomorrow: '2026-11-19T09:00',
  'tomorrow at 5pm': '2026-11-19T17:00',
  'tomorrow morning': '2026-11-19T09:00',
  'tomorrow morning at 6': '2026-11-19T06:00',
  'tomorrow at 6': '2026-11-19T18:00',
  'tomorrow at 8': '2026-11-19T08:00',
  'tomorrow at noon': '2026-11-19T12:00',
  'tomorrow evening': '2026-11-19T19:00',
  'the day after tomorrow at 7pm': '2026-11-20T19:00',
  friday: '2026-11-20T09:00',
  'on friday at 18:00': '2026-11-20T18:00',
  'fri 7pm': '2026-11-20T19:00',
  'this friday at 3pm': '2026-11-20T15:00',
  'next friday': '2026-11-27T09:00',
  'next friday at 9': '2026-11-27T09:00',
  'monday next week': '2026-11-23T09:00',
  'next monday at 8am': '2026-11-23T08:00',
  wednesday: '2026-11-25T09:00',
  'wednesday at 8pm': '2026-11-18T20:00',
  'wednesday at 8am': '2026-11-25T08:00',
  'next week': '2026-11-23T09:00',
  'next month': '2026-12-18T09:00',
  'next year': '2027-11-18T09:00',
  '25 december': '2026-12-25T09:00',
  '25th of december at 6pm': '2026-12-25T18:00',
  'december 25 at 10:30': '2026-12-25T10:30',
  'dec 25, 2027 at 7am': '2027-12-25T07:00',
  'jan 2': '2027-01-02T09:00',
  'the 30th': '2026-11-30T09:00',
  'the 3rd at 2pm': '2026-12-03T14:00',
  'february 29': '2028-02-29T09:00',
  '2026-12-01': '2026-12-01T09:00',
  '2026-12-01 at 14:00': '2026-12-01T14:00',
  'in 20 minutes': '2026-11-18T10:40',
  'in an hour': '2026-11-18T11:20',
  'in half an hour': '2026-11-18T10:50',
  'in 2 hours': '2026-11-18T12:20',
  'in an hour and a half': '2026-11-18T11:50',
  'in 1h30m': '2026-11-18T11:50',
  'in 2 hours and 10 minutes': '2026-11-18T12:30',
  '90 minutes from now': '2026-11-18T11:50',
  'in 3 days': '2026-11-21T10:20',
  'in 3 days at 5pm': '2026-11-21T17:00',
  'in two weeks': '2026-12-02T10:20',
  'in a month at 9am': '2026-12-18T09:00',
  'a couple of hours from now': '2026-11-18T12:20',
};
const repetitions: Record<string, [string, string]> = {
  'every day at 9': ['2026-11-19T09:00', 'FREQ=DAILY'],
  'daily at 18:00': ['2026-11-18T18:00', 'FREQ=DAILY'],
  'every morning': ['2026-11-19T09:00', 'FREQ=DAILY'],
  'every weekday at 8am': ['2026-11-19T08:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  'every monday and thursday at 6pm': ['2026-11-19T18:00', 'FREQ=WEEKLY;BYDAY=MO,TH'],
  'weekends at noon': ['2026-11-21T12:00', 'FREQ=WEEKLY;BYDAY=SA,SU'],
};
/** Phrases with the current time, and the expected local time of a zone, including changes of the clock. */
const table = readFileSync(join(import.meta.dirname, 'time-phrases.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [now = '', zone = '', phrase = '', means = '', repeats] = line.split('\t');
    return { now, zone, phrase, means, repeats };
  });
/** Formats a time as the table does: to the minute, with the UTC offset of the zone at that time. */
const formatWithOffset = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never' });

const zones = ['UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'];

describe('Times in plain English', () => {
  it.each(zones)('have the same meaning in local time of each zone: %s', (timezone) => {
    const now = new Date(Temporal.PlainDateTime.from('2026-11-18T10:20').toZonedDateTime(timezone).epochMilliseconds);
    for (const [phrase, expected] of Object.entries(phrases)) {
      const when = readTime(tokenize(phrase), { now, timezone });
      expect([phrase, when && wallClock(when.at, timezone).toString().slice(0, 16)]).toEqual([phrase, expected]);
    }
    for (const [phrase, [expected, rrule]] of Object.entries(repetitions)) {
      const when = readTime(tokenize(phrase), { now, timezone });
      expect([phrase, when?.rrule, when && wallClock(when.at, timezone).toString().slice(0, 16)]).toEqual([
        phrase,
        rrule,
        expected,
      ]);
    }
  });

  it.each(table)('from $now in $zone: "$phrase" is $means', ({ now, zone, phrase, means, repeats }) => {
    const when = readTime(tokenize(phrase), { now: new Date(now), timezone: zone });
    expect(when && [formatWithOffset(when.at, zone), when.rrule]).toEqual([means, repeats]);
  });

  it('are tested with more than 300 phrases in more than five zones', () => {
    expect(table.length).toBeGreaterThan(300);
    expect(new Set(table.map(({ zone }) => zone)).size).toBeGreaterThan(5);
  });

  it.each([
    '',
    'yesterday',
    '5',
    'soon',
    'at',
    'at 25',
    'at 5:75',
    '13pm',
    'february 30',
    'in minutes',
    'at 5 at 6',
    'monday tuesday',
    'every',
    'in 0 hours',
    'hello at 5',
  ])('does not parse "%s" as a time', (phrase) => {
    expect(readTime(tokenize(phrase), { now: new Date('2026-11-18T10:20:00Z'), timezone: 'UTC' })).toBeUndefined();
  });

  it.each([
    ['en', 'Friday, 27 November 2026 at 17:00 (Europe/Vienna)'],
    ['de', 'Freitag, 27. November 2026 um 17:00 (Europe/Vienna)'],
    ['es', 'viernes, 27 de noviembre de 2026 a las 17:00 (Europe/Vienna)'],
    ['fr', 'vendredi 27 novembre 2026 à 17:00 (Europe/Vienna)'],
    ['ar', 'الجمعة، 27 نوفمبر 2026 الساعة 17:00 (Europe/Vienna)'],
  ] as const)('formats a time with its zone in %s', (language, expected) => {
    expect(describeMoment(i18nOf(language), new Date('2026-11-27T16:00:00Z'), 'Europe/Vienna')).toBe(expected);
  });

  it.each([
    ['every monday and thursday', 'Every Monday and Thursday', 'Jeden Montag und Donnerstag', 'كل الاثنين والخميس'],
    ['weekdays', 'Every weekday', 'Jeden Werktag', 'كل يوم عمل'],
    ['hourly', 'Every hour', 'Jede Stunde', 'كل ساعة'],
    ['daily', 'Every day', 'Jeden Tag', 'كل يوم'],
    ['every other week', 'Every second week', 'Jede zweite Woche', 'كل أسبوعين'],
    ['every 3 months', 'Every 3 months', 'Alle 3 Monate', 'كل 3 أشهر'],
    ['every 11 years', 'Every 11 years', 'Alle 11 Jahre', 'كل 11 سنة'],
  ])('formats the repetition of "%s"', (phrase, ...expected) => {
    const rule = readRepetition(tokenize(phrase))?.value.rule ?? '';
    expect((['en', 'de', 'ar'] as const).map((language) => describeRule(i18nOf(language), rule))).toEqual(expected);
  });

  it('does not depend on the time zone of the server', slow, () => {
    const from = (module: string) => JSON.stringify(new URL(module, import.meta.url).href);
    const script = `
      const { readTime } = await import(${from('read-time.ts')});
      const { describeMoment } = await import(${from('describe-when.ts')});
      const { i18nOf } = await import(${from('../../../../kernel/language/i18n.ts')});
      for (const phrase of ${JSON.stringify(Object.keys(phrases))}) {
        const when = readTime(phrase.replaceAll(',', ' ,').split(' '), { now: new Date('2027-03-13T20:00:00Z'), timezone: 'Europe/Vienna' });
        console.log(phrase, when && describeMoment(i18nOf('en'), when.at, when.timezone));
      }`;
    const run = (TZ: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      }).stdout;
    const answers = ['UTC', 'America/New_York', 'Australia/Lord_Howe'].map(run);
    expect(answers[0]?.split('\n').length).toBeGreaterThan(60);
    expect(new Set(answers).size).toBe(1);
  });
});
