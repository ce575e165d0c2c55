/** The times of one occurrence of an event. */
import { expect, it } from 'vitest';
import { spanAt } from './occurrence-span.ts';

it('is as long as the first occurrence', () => {
  const event = { all_day: false, starts_at: '2031-05-14T22:30:00Z', ends_at: '2031-05-15T00:15:00Z' };
  expect(spanAt(event, '2031-12-31T22:30:00Z')).toEqual({
    starts_at: '2031-12-31T22:30:00Z',
    ends_at: '2032-01-01T00:15:00Z',
  });
});

it('has as many days as the first occurrence', () => {
  const event = { all_day: true, starts_at: '2031-05-14', ends_at: '2031-05-16' };
  expect(spanAt(event, '2032-02-28')).toEqual({ starts_at: '2032-02-28', ends_at: '2032-03-01' });
});
