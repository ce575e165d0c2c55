/** What the web client sends when an event is dragged: the adjusted rule, and times that keep to the wall clock. */
import { describe, expect, it } from 'vitest';
import type { CalendarEvent } from '../calendar-queries.ts';
import { draftAfter, moveTo, resizeTo, scopesOf } from './move-occurrence.ts';
import { moveLike } from '../recurrence/series.ts';
import { placeOccurrence } from '../recurrence/occurrences.ts';
import { moveRule } from '../recurrence/recurrence-rules.ts';
import { localZone, momentAt } from '../zones.ts';

describe('a rule after one of its days was moved', () => {
  it.each([
    ['FREQ=DAILY', '2027-03-02', '2027-03-04', 'FREQ=DAILY'],
    ['FREQ=WEEKLY;BYDAY=TU', '2027-03-02', '2027-03-04', 'FREQ=WEEKLY;BYDAY=TH'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU', '2027-03-02', '2027-03-03', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'],
    ['FREQ=WEEKLY;BYDAY=MO,TU', '2027-03-02', '2027-03-01', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20270316', '2027-03-02', '2027-03-04', 'FREQ=WEEKLY;BYDAY=TH;UNTIL=20270318'],
    ['FREQ=MONTHLY;BYMONTHDAY=2', '2027-03-02', '2027-03-09', 'FREQ=MONTHLY;BYMONTHDAY=9'],
    ['FREQ=MONTHLY;BYDAY=1TU', '2027-03-02', '2027-03-11', 'FREQ=MONTHLY;BYDAY=2TH'],
    ['FREQ=MONTHLY;BYDAY=-1WE', '2027-03-31', '2027-03-23', 'FREQ=MONTHLY;BYDAY=-2TU'],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=2', '2027-03-02', '2027-04-05', 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=5'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', '2027-03-30', '2027-03-31', undefined],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2027-03-31', '2027-03-30', undefined],
    ['FREQ=DAILY;BYHOUR=9,17', '2027-03-02', '2027-03-02', 'FREQ=DAILY;BYHOUR=9,17'],
  ])('%s from %s to %s: %s', (rule, from, to, after) => expect(moveRule(rule, from, to)).toBe(after));
});

describe('a time moved by the distance of another', () => {
  it('keeps to the wall clock across a change to summer time', () => {
    // Vienna: winter time until 28 March 2027, then summer time.
    expect(moveLike('2027-03-02T18:00:00Z', '2027-03-30T17:00:00Z', '2027-03-30T18:30:00Z', 'Europe/Vienna')).toBe(
      '2027-03-02T19:30:00Z',
    );
    expect(moveLike('2027-03-02T18:00:00Z', '2027-03-27T18:00:00Z', '2027-03-29T17:00:00Z', 'Europe/Vienna')).toBe(
      '2027-03-04T18:00:00Z',
    );
  });
  it('moves a date by whole days', () =>
    expect(moveLike('2027-03-02', '2027-03-09', '2027-03-08', 'UTC')).toBe('2027-03-01'));
});

const here = (date: string, time: string) => momentAt({ date, time }, localZone()).toISOString().replace('.000', '');
const eventOf = (given: Partial<CalendarEvent>): CalendarEvent => ({
  id: 'evt_1',
  title: 'Rehearsal',
  description: null,
  location: null,
  starts_at: here('2027-03-02', '19:00'),
  ends_at: here('2027-03-02', '20:30'),
  all_day: false,
  timezone: localZone(),
  rrule: null,
  exdates: [],
  reminders: [],
  call: { enabled: false },
  role: 'owner',
  owner: { id: 'usr_1', username: 'ada', display_name: 'Ada', avatar_url: null },
  share: null,
  revision: 1,
  created_at: '2027-01-01T00:00:00Z',
  updated_at: '2027-01-01T00:00:00Z',
  ...given,
});

describe('an occurrence that is dragged', () => {
  const event = eventOf({});
  const occurrence = placeOccurrence(event, event);
  const days = eventOf({ all_day: true, starts_at: '2027-03-02', ends_at: '2027-03-04' });
  const occurrence_of_days = placeOccurrence(days, days);

  it('keeps its length when it is moved', () => {
    const to = moveTo(occurrence, '2027-03-04', 8 * 60);
    expect(to).toEqual({ starts_at: here('2027-03-04', '08:00'), ends_at: here('2027-03-04', '09:30') });
    expect(moveTo(occurrence, '2027-03-04', -30).starts_at).toBe(here('2027-03-03', '23:30'));
    expect(moveTo(occurrence_of_days, '2027-03-10')).toEqual({ starts_at: '2027-03-10', ends_at: '2027-03-12' });
  });

  it('changes its end when it is resized, and keeps a minimum length', () => {
    expect(resizeTo(occurrence, 120).ends_at).toBe(here('2027-03-02', '21:00'));
    expect(resizeTo(occurrence, -60).ends_at).toBe(here('2027-03-02', '19:15'));
    expect(resizeTo(occurrence_of_days, 0).ends_at).toBe('2027-03-03');
    expect(resizeTo(occurrence_of_days, 3 * 1440).ends_at).toBe('2027-03-05');
  });

  it('moves its rule where the rule can be adjusted, and becomes a single exception where it cannot', () => {
    const weekly = eventOf({ rrule: 'FREQ=WEEKLY;BYDAY=TU' });
    const unsupported = eventOf({ rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=2' });
    const weekly_occurrence = placeOccurrence(weekly, weekly);
    const to = moveTo(weekly_occurrence, '2027-03-03');
    expect([scopesOf(weekly_occurrence, to), draftAfter(weekly_occurrence, to).rrule]).toEqual([
      ['this', 'following', 'all'],
      'FREQ=WEEKLY;BYDAY=WE',
    ]);
    expect(Object.keys(draftAfter(weekly_occurrence, placeOccurrence(weekly, to)))).toEqual(
      Object.keys(draftAfter(weekly_occurrence, to)),
    );
    expect(scopesOf(placeOccurrence(unsupported, unsupported), to)).toEqual(['this']);
  });
});
