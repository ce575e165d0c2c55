/** What pages cache of a call while the stream delivers a change and a reply is on its way. */
import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sdk } from '../../asterism.ts';
import { cacheCall, callQuery } from './call-queries.ts';

type Call = Parameters<typeof cacheCall>[1];

const callOf = (state: string) =>
  ({ join_code: 'abc-defg-hij', state, participants: [], host: {}, title: '' }) as unknown as Call;

/** Reads a call whose answer arrives when it is given. */
function readCall() {
  const { promise, resolve } = Promise.withResolvers<Call>();
  const getCall = vi.spyOn(sdk.calls, 'getCall').mockReturnValue(promise);
  onTestFinished(() => getCall.mockRestore());
  const queries = new QueryClient();
  const reading = queries.fetchQuery(callQuery('abc-defg-hij'));
  return { queries, reading, answer: resolve };
}

it('a call that ends while it is read has ended, although the answer is older', async () => {
  const { queries, reading, answer } = readCall();
  cacheCall(queries, callOf('ended'));
  answer(callOf('ringing'));
  expect(await reading).toMatchObject({ state: 'ended' });
  expect(queries.getQueryData(callQuery('abc-defg-hij').queryKey)).toMatchObject({ state: 'ended' });
});

it('a call of which no event came meanwhile is as the answer says', async () => {
  const { reading, answer } = readCall();
  answer(callOf('ringing'));
  expect(await reading).toMatchObject({ state: 'ringing' });
});
