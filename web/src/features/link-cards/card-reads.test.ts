import { expect, it } from 'vitest';
import { limitReads } from './card-reads.ts';

it('allows 60 cards to be read within a minute, and others when the minute is over', () => {
  const mayRead = limitReads();
  const allowed = (now_ms: number) => Array.from({ length: 100 }, () => mayRead(now_ms)).filter(Boolean).length;
  expect([allowed(0), allowed(59_999), allowed(60_000), allowed(60_001)]).toEqual([60, 0, 60, 0]);
});
