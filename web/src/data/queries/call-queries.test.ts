/** What pages cache of a call while the stream delivers a change and a reply is on its way. */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { callQuery, storeCall } from './call-queries.ts';

type Call = Parameters<typeof storeCall>[1];

const callOf = (state: string) =>
  ({ join_code: 'abc-defg-hij', state, participants: [], host: {}, title: '' }) as unknown as Call;

it('a call that ends while it is read is read again', async () => {
  const queries = new QueryClient();
  const { queryKey } = callQuery('abc-defg-hij');
  const requests: ((call: Call) => void)[] = [];
  const queryFn = () => new Promise<Call>((resolve) => requests.push(resolve));
  onTestFinished(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined));
  storeCall(queries, callOf('ended'));
  expect(queries.getQueryData(queryKey)).toMatchObject({ state: 'ended' });
  requests[0]?.(callOf('ringing'));
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.(callOf('ended'));
  await expect.poll(() => queries.getQueryData(queryKey)).toMatchObject({ state: 'ended' });
});
