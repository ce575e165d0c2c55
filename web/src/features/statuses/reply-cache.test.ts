/** The number of replies while events and reads overlap. */
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sdk } from '../../asterism.ts';
import { statusKey } from '../../data/queries/status-queries.ts';
import { resetStreamStart, trackReads } from '../../data/stream-start.ts';
import { cacheReportedReply, dropReportedReply } from './reply-cache.ts';

const replyOf = (id: string) => ({ id, post_id: 'post_1' }) as Parameters<typeof cacheReportedReply>[1];

/** A page that has read a post with so many replies. */
async function readPost(reply_count: number) {
  const queries = new QueryClient();
  trackReads(queries);
  const queryKey = statusKey('post_1');
  await queries.fetchQuery({ queryKey, queryFn: () => ({ id: 'post_1', reply_count }) });
  return { queries, shown: () => queries.getQueryData<{ reply_count: number }>(queryKey)?.reply_count };
}

describe('the number of replies', () => {
  /** The number of replies that the service answers, and how often it was asked. */
  const answers = { count: 0, requests: 0 };
  beforeEach(() => {
    resetStreamStart();
    answers.requests = 0;
    const getStatus = vi.spyOn(sdk.statuses, 'getStatus').mockImplementation(() => {
      answers.requests += 1;
      return Promise.resolve({ reply_count: answers.count } as Awaited<ReturnType<typeof sdk.statuses.getStatus>>);
    });
    onTestFinished(() => getStatus.mockRestore());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  it('contains once what is reported just after it was read, as part of it or not', async () => {
    const { queries, shown } = await readPost(2);
    answers.count = 3;
    cacheReportedReply(queries, replyOf('reply_2'));
    cacheReportedReply(queries, replyOf('reply_3'));
    dropReportedReply(queries, 'post_1', 'reply_1');
    await vi.advanceTimersByTimeAsync(600);
    expect(shown()).toBe(3);
    expect(answers.requests).toBe(1);
  });

  it('changes by what is reported later, without a request', async () => {
    const { queries, shown } = await readPost(2);
    await vi.advanceTimersByTimeAsync(1_500);
    cacheReportedReply(queries, replyOf('reply_3'));
    cacheReportedReply(queries, replyOf('reply_3'));
    expect(shown()).toBe(3);
    dropReportedReply(queries, 'post_1', 'reply_1');
    await vi.advanceTimersByTimeAsync(1_500);
    expect(shown()).toBe(2);
    expect(answers.requests).toBe(0);
  });

  it('is not read of a post that is not shown', async () => {
    const queries = new QueryClient();
    trackReads(queries);
    await queries.fetchQuery({ queryKey: statusKey('post_2'), queryFn: () => ({ id: 'post_2', reply_count: 0 }) });
    cacheReportedReply(queries, replyOf('reply_1'));
    await vi.advanceTimersByTimeAsync(1_500);
    expect(answers.requests).toBe(0);
  });
});
