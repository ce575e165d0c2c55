/** What is cached of things that the service withholds later. */
import { ApiError } from '@asterism/sdk';
import { QueryObserver } from '@tanstack/react-query';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { createQueries } from './cache.ts';

const refusal = (code: string) => new ApiError({ status: code === 'not_found' ? 404 : 409, code, message: 'No.' });

/** Shows a query, whose fetches are answered by the function. */
function show(queries: QueryClient, queryKey: QueryKey, queryFn: () => Promise<unknown>): void {
  const observer = new QueryObserver(queries, { queryKey, queryFn, staleTime: Infinity });
  onTestFinished(observer.subscribe(() => undefined));
}

/** A cache with a chat, its messages and another chat, of which the first is shown and refused with a code. */
async function refuseChat(code: string) {
  const queries = createQueries({ onMobileUnverified: () => undefined });
  for (const key of ['thread', 'thread-chat']) {
    queries.setQueryData([key, 'thr_1'], `${key} 1`);
    queries.setQueryData([key, 'thr_2'], `${key} 2`);
  }
  show(queries, ['thread', 'thr_1'], () => Promise.reject(refusal(code)));
  return queries;
}

const refetch = (queries: QueryClient, id: string) => queries.refetchQueries({ queryKey: ['thread', id] });

it('what is withheld is dropped with what else is cached of it, and nothing of others', async () => {
  const queries = await refuseChat('not_found');
  await refetch(queries, 'thr_1');
  expect(queries.getQueryState(['thread', 'thr_1'])).toMatchObject({ data: undefined, status: 'error' });
  expect(queries.getQueryData(['thread-chat', 'thr_1'])).toBeUndefined();
  expect(queries.getQueryData(['thread', 'thr_2'])).toBe('thread 2');
  expect(queries.getQueryData(['thread-chat', 'thr_2'])).toBe('thread-chat 2');
});

it('what is shown of it is read again, and a fetch in flight does not restore it', async () => {
  const queries = await refuseChat('not_found');
  const requests: PromiseWithResolvers<unknown>[] = [];
  show(queries, ['thread-chat', 'thr_1'], () => {
    const request = Promise.withResolvers<unknown>();
    requests.push(request);
    return request.promise;
  });
  void queries.refetchQueries({ queryKey: ['thread-chat', 'thr_1'] });
  await refetch(queries, 'thr_1');
  await expect.poll(() => requests.length).toBe(2);
  requests[0]?.resolve('old');
  expect(queries.getQueryData(['thread-chat', 'thr_1'])).toBeUndefined();
  requests[1]?.reject(refusal('not_found'));
  await expect.poll(() => queries.getQueryState(['thread-chat', 'thr_1'])).toMatchObject({ status: 'error' });
});

it('any other refusal keeps what was read', async () => {
  const queries = await refuseChat('conflict');
  await refetch(queries, 'thr_1');
  expect(queries.getQueryData(['thread', 'thr_1'])).toBe('thread 1');
  expect(queries.getQueryData(['thread-chat', 'thr_1'])).toBe('thread-chat 1');
});

it('a query that began with data of another one keeps them, and the other one is read again', async () => {
  const queries = createQueries({ onMobileUnverified: () => undefined });
  let reads = 0;
  queries.setQueryData(['profile', 'jazz'], 'profile');
  show(queries, ['profile', 'jazz'], () => {
    reads += 1;
    return Promise.reject(refusal('not_found'));
  });
  const observer = new QueryObserver(queries, {
    queryKey: ['profile-live', 'jazz'],
    queryFn: () => Promise.reject(refusal('not_found')),
    initialData: 'not live',
    staleTime: Infinity,
  });
  onTestFinished(observer.subscribe(() => undefined));
  await queries.refetchQueries({ queryKey: ['profile-live'] });
  await expect.poll(() => queries.getQueryState(['profile', 'jazz'])).toMatchObject({ status: 'error' });
  expect(queries.getQueryData(['profile', 'jazz'])).toBeUndefined();
  expect(observer.getCurrentResult().data).toBe('not live');
  expect(reads).toBe(1);
});
