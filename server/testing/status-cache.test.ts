/** What pages keep of statuses while the stream tells something and an answer is on its way. */
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { changeStatus, forgetStatus, queueStatus } from '../../web/src/features/statuses/status-cache.ts';
import { feedKey, statusKey } from '../../web/src/features/statuses/status-queries.ts';

// Nothing is asked of the service here but what the test answers.
vi.mock('../../web/src/asterism.ts', () => ({ sdk: {} }));

type Status = Parameters<typeof queueStatus>[1];

/** What of a status is asked here. */
const statusOf = (body: string) => ({ id: 'post_1', body, reply_count: 0 }) as unknown as Status;

/** A page that is shown, and the answers that the test gives to what it asks for, in their order. */
function show<T>(queries: QueryClient, queryKey: readonly string[], is_list = false) {
  const asked: ((answer: T) => void)[] = [];
  const queryFn = () => new Promise<T>((resolve) => asked.push(resolve));
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
    asked: () => asked.length,
    answer: (at: number, answer: T) => asked[at]?.(answer),
    shown: () => queries.getQueryData(queryKey),
  };
}

describe('the statuses that pages keep', () => {
  it('asks again for a page of one status that changes while it is fetched', async () => {
    const queries = new QueryClient();
    const page = show<Status>(queries, statusKey('post_1'));
    changeStatus(queries, 'post_1', () => statusOf('mended'));
    page.answer(0, statusOf('first'));
    await expect.poll(page.asked).toBe(2);
    page.answer(1, statusOf('mended'));
    await expect.poll(page.shown).toMatchObject({ body: 'mended' });
  });

  it('asks again for a feed that is fetched for the first time while something is said', async () => {
    const queries = new QueryClient();
    const page = show<{ items: Status[]; has_more: boolean }>(queries, feedKey, true);
    queueStatus(queries, statusOf('just now'));
    page.answer(0, { items: [], has_more: false });
    await expect.poll(page.asked).toBe(2);
    page.answer(1, { items: [statusOf('just now')], has_more: false });
    await expect.poll(page.shown).toMatchObject({ pages: [{ items: [{ body: 'just now' }] }] });
  });

  it('asks whether a status that is gone may still be shown on its own page', async () => {
    const queries = new QueryClient();
    const page = show<Status>(queries, statusKey('post_1'));
    page.answer(0, statusOf('first'));
    await expect.poll(page.shown).toMatchObject({ body: 'first' });
    forgetStatus(queries, 'post_1');
    await expect.poll(page.asked).toBe(2);
  });
});
