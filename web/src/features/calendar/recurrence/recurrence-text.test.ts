/** How the web client describes recurrence rules, and how it reads wall clocks and days. */
import { describe, expect, it } from 'vitest';
import { addMonths, isDay, weeksOfMonth, weekStart } from '../days.ts';
import { describeRule } from './recurrence-text.ts';
import { momentAt, wallTimeAt } from '../zones.ts';

describe('describeRule', () => {
  it.each([
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=2', 'Every second day'],
    ['FREQ=HOURLY;INTERVAL=6', 'Every 6 hours'],
    ['FREQ=WEEKLY', 'Every week'],
    ['FREQ=WEEKLY;BYDAY=TU', 'Every Tuesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270303', 'Every second Tuesday until March 3'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20280303T100000Z', 'Every second Tuesday until March 3, 2028'],
    ['FREQ=WEEKLY;BYDAY=WE,MO;COUNT=10', 'Every Monday and Wednesday, 10 times'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
    ['FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO', 'Every 3 weeks on Monday and Sunday'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', 'Every month on the 15th'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'Every month on the second Tuesday'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'Every month on the last weekday'],
    ['FREQ=YEARLY', 'Every year'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'Every year on the last Sunday of March'],
    ['FREQ=DAILY;BYHOUR=9,17', 'Every day, by a custom rule'],
  ])('%s: %s', (rule, text) => expect(describeRule(rule, '2027')).toBe(text));
});

describe('wall clocks', () => {
  it.each([
    ['2027-03-28', '02:30', 'Europe/Vienna', '2027-03-28T01:30:00.000Z'],
    ['2027-10-31', '02:30', 'Europe/Vienna', '2027-10-31T00:30:00.000Z'],
    ['2027-04-04', '02:30', 'Australia/Sydney', '2027-04-03T15:30:00.000Z'],
    ['2027-07-01', '09:00', 'Asia/Kolkata', '2027-07-01T03:30:00.000Z'],
  ])('%s %s in %s is %s', (date, time, zone, moment) =>
    expect(momentAt({ date, time }, zone).toISOString()).toBe(moment),
  );

  it('are read back as they were set', () =>
    expect(wallTimeAt(momentAt({ date: '2027-01-01', time: '00:00' }, 'Pacific/Apia'), 'Pacific/Apia')).toEqual({
      date: '2027-01-01',
      time: '00:00',
    }));
});

describe('days', () => {
  it('have months of any length, and weeks', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2028-03-31', -1)).toBe('2028-02-29');
    expect(weekStart('2027-02-28', 1)).toBe('2027-02-22');
    expect(weekStart('2027-02-28', 0)).toBe('2027-02-28');
    expect(weeksOfMonth('2027-02-10').flat()).toContain('2027-02-28');
    expect([isDay('2027-02-29'), isDay('2028-02-29'), isDay('soon')]).toEqual([false, true, false]);
  });
});
