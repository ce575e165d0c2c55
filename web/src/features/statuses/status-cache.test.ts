/** What pages cache of statuses while the stream delivers a change and a reply is on its way. */
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeStatus, forgetStatus, queueStatus } from './status-cache.ts';
import { feedKey, statusKey } from '../../data/queries/status-queries.ts';

type Status = Parameters<typeof queueStatus>[1];

/** The properties of a status that these tests need. */
const statusOf = (body: string) => ({ id: 'post_1', body, reply_count: 0 }) as unknown as Status;

/** A displayed page, and the replies that the test gives to its requests, in their order. */
function show<T>(queries: QueryClient, queryKey: readonly string[], is_list = false) {
  const requests: ((answer: T) => void)[] = [];
  const queryFn = () => new Promise<T>((resolve) => requests.push(resolve));
  const observer = is_list
    ? new InfiniteQueryObserver(queries, {
        queryKey,
        queryFn,
        initialPageParam: undefined,
        getNextPageParam: () => undefined,
      })
    : new QueryObserver(queries, { queryKey, queryFn });
  onTestFinished(observer.subscribe(() => undefined));
  return {
    requests: () => requests.length,
    answer: (at: number, answer: T) => requests[at]?.(answer),
    shown: () => queries.getQueryData(queryKey),
  };
}

describe('the statuses that pages cache', () => {
  it('a page of one status is fetched again when the status changes during the fetch', async () => {
    const queries = new QueryClient();
    const page = show<Status>(queries, statusKey('post_1'));
    changeStatus(queries, 'post_1', () => statusOf('mended'));
    page.answer(0, statusOf('first'));
    await expect.poll(page.requests).toBe(2);
    page.answer(1, statusOf('mended'));
    await expect.poll(page.shown).toMatchObject({ body: 'mended' });
  });

  it('a feed is fetched again when a status arrives during its first fetch', async () => {
    const queries = new QueryClient();
    const page = show<{ items: Status[]; has_more: boolean }>(queries, feedKey, true);
    queueStatus(queries, statusOf('just now'));
    page.answer(0, { items: [], has_more: false });
    await expect.poll(page.requests).toBe(2);
    page.answer(1, { items: [statusOf('just now')], has_more: false });
    await expect.poll(page.shown).toMatchObject({ pages: [{ items: [{ body: 'just now' }] }] });
  });

  it('the page of a deleted status is fetched again', async () => {
    const queries = new QueryClient();
    const page = show<Status>(queries, statusKey('post_1'));
    page.answer(0, statusOf('first'));
    await expect.poll(page.shown).toMatchObject({ body: 'first' });
    forgetStatus(queries, 'post_1');
    await expect.poll(page.requests).toBe(2);
  });
});
