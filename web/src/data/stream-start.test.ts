/** The stream of a page starts before everything that the page has read, which is then not read again. */
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { catchUp } from './cache.ts';
import {
  createStreamStart,
  registerRead,
  registerPosition,
  resetStreamStart,
  trackReads,
} from './stream-start.ts';

beforeEach(() => resetStreamStart());

const refetch = vi.fn<() => void>();
beforeEach(() => refetch.mockReset());

/** A cache, and functions to read a query whose reply names a position, and to see what would be read again. */
function createPage() {
  const queries = new QueryClient();
  trackReads(queries);
  const read = async (key: string, position: string) =>
    queries.fetchQuery({
      queryKey: [key],
      queryFn: () => {
        registerPosition(position);
        return key;
      },
    });
  const listStale = (...keys: string[]) => keys.filter((key) => queries.getQueryState([key])?.isInvalidated);
  return { queries, read, listStale };
}

it('starts at the earliest position, whatever the order of the replies', async () => {
  const { read } = createPage();
  const start = createStreamStart(refetch);
  await read('me', 's.12.1');
  await read('threads', 's.9.3');
  await read('home', 's.9.4');
  expect(start.last_event_id()).toBe('s.9.3');
  expect(refetch).not.toHaveBeenCalled();
});

it('does not read again what the page has read, and what stored data or the page itself have put there', async () => {
  const { queries, read, listStale } = createPage();
  queries.setQueryData(['stored'], 1, { updatedAt: performance.timeOrigin - 1_000 });
  const start = createStreamStart(refetch);
  await read('threads', 's.9.3');
  queries.setQueryData(['written'], 1);
  queries.setQueryData(['part'], 1);
  registerRead(queries, ['part']);
  start.last_event_id();
  catchUp(queries, [['stored'], ['threads'], ['written'], ['part']], start.isKnown);
  expect(listStale('stored', 'threads', 'written', 'part')).toEqual(['stored', 'written']);
});

it('lets a request in flight finish, and reads everything again if its reply was from before the start', async () => {
  const { queries, listStale } = createPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  registerPosition('s.9.3');
  const start = createStreamStart(refetch);
  const queryFn = vi.fn(async () => {
    await promise;
    registerPosition('s.9.2');
    return 1;
  });
  const late = queries.fetchQuery({ queryKey: ['late'], queryFn });
  expect(start.last_event_id()).toBe('s.9.3');
  catchUp(queries, [['late']], start.isKnown);
  resolve();
  await late;
  expect(queryFn).toHaveBeenCalledTimes(1);
  expect(listStale('late')).toEqual([]);
  expect(refetch).toHaveBeenCalledTimes(1);
  registerPosition('s.9.4');
  expect(refetch).toHaveBeenCalledTimes(1);
});

it('reads everything again when the stream of another database answers', () => {
  registerPosition('s.9.3');
  createStreamStart(refetch).last_event_id();
  registerPosition('t.10.1');
  expect(refetch).toHaveBeenCalledTimes(1);
});

it('starts at the current moment, with nothing known, where no reply has arrived, and in a second stream', async () => {
  const { queries, read, listStale } = createPage();
  const none = createStreamStart(refetch);
  expect(none.last_event_id()).toBeUndefined();
  await read('threads', 's.9.3');
  const first = createStreamStart(refetch);
  expect(first.last_event_id()).toBe('s.9.3');
  first.end();
  const second = createStreamStart(refetch);
  expect(second.last_event_id()).toBeUndefined();
  catchUp(queries, [['threads']], second.isKnown);
  expect(listStale('threads')).toEqual(['threads']);
  // Nobody listens to an earlier reply once the stream is closed.
  registerPosition('s.9.1');
  expect(refetch).not.toHaveBeenCalled();
});
