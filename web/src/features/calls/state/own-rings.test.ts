import type { Call } from '@asterism/sdk';
import { environmentManager, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { callQuery } from '../../../data/queries/call-queries.ts';
import { rememberOwnRings, ringsOf } from './own-rings.ts';

const callOf = (states: Record<string, string>) =>
  ({
    join_code: 'abc-defg-hij',
    participants: Object.entries(states).map(([id, state]) => ({ id, state })),
  }) as unknown as Call;

afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

test('those who ring now and did not before are rung by the reader', () => {
  const queries = new QueryClient();
  queries.setQueryData(callQuery('abc-defg-hij').queryKey, callOf({ ada: 'ringing', ben: 'declined' }));
  rememberOwnRings(queries, callOf({ ada: 'ringing', ben: 'ringing', cleo: 'ringing' }));
  expect([...ringsOf(queries)]).toEqual(['ben', 'cleo']);
});

test('they are remembered as long as the page, and not only five minutes', () => {
  vi.useFakeTimers();
  // On a server nothing is dropped from the cache.
  environmentManager.setIsServer(() => false);
  const queries = new QueryClient();
  rememberOwnRings(queries, callOf({ ada: 'ringing' }));
  vi.advanceTimersByTime(30 * 60_000);
  expect([...ringsOf(queries)]).toEqual(['ada']);
});
