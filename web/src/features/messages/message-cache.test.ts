/** What pages cache of threads while the stream delivers a change and a reply is on its way. */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { cutLists } from '../../data/lists.ts';
import { cacheMessage, cacheThread, threadQuery } from '../../data/queries/message-queries.ts';

type Thread = Parameters<typeof cacheThread>[1];
type Message = Parameters<typeof cacheMessage>[1];

const no_settings = { muted_until: null, archived: false, pinned: false, pinned_at: null, marked_unread: false };
/** The properties of a thread and a message that these tests need. */
const threadOf = (part: object) =>
  ({ id: 'thr_1', unread_count: 0, last_message: null, settings: no_settings, ...part }) as unknown as Thread;
const message = { id: 'dm_2', thread_id: 'thr_1', body: 'Hello', deleted_at: null } as unknown as Message;

it.each([
  ['a thread', (queries: QueryClient) => cacheThread(queries, threadOf({ unread_count: 1 }))],
  ['a message of it', (queries: QueryClient) => cacheMessage(queries, message, 1)],
])('a thread is fetched again when the stream delivers %s during the fetch', async (_what, deliver) => {
  const queries = new QueryClient();
  const requests: ((thread: Thread) => void)[] = [];
  const { queryKey } = threadQuery('thr_1');
  const queryFn = () => new Promise<Thread>((resolve) => requests.push(resolve));
  onTestFinished(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined));
  deliver(queries);
  requests[0]?.(threadOf({ unread_count: 0 }));
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.(threadOf({ unread_count: 1 }));
  await expect.poll(() => queries.getQueryState(queryKey)?.fetchStatus).toBe('idle');
  expect(queries.getQueryData(queryKey)).toMatchObject({ unread_count: 1 });
});

it('cutLists reduces a chat to its newest page, and leaves one that was opened around an older message', () => {
  const queries = new QueryClient();
  const pageOf = (id: string) => ({ items: [{ id }], has_more: true });
  const pages = ['dm_9', 'dm_8', 'dm_7'].map(pageOf);
  queries.setQueryData(['thread-chat', 'thr_1'], { pages, pageParams: [undefined, 'dm_9', 'dm_8'] });
  queries.setQueryData(['thread-chat', 'thr_1', 'dm_8'], { pages, pageParams: [{ around_id: 'dm_8' }, {}, {}] });
  cutLists(queries, ['thread-chat', 'thr_1']);
  expect(queries.getQueryData(['thread-chat', 'thr_1'])).toEqual({ pages: [pageOf('dm_9')], pageParams: [undefined] });
  expect(queries.getQueryData(['thread-chat', 'thr_1', 'dm_8'])).toMatchObject({ pages });
});
