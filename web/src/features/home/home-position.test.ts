/**
 * The home page as the position from which a page begins its stream: it is read once, and not again when the stream is
 * open.
 */
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { readPosition } from './home-position.ts';
import { AFTER_HOME, afterHome, registerFirstRequest, readFromHome, type Home } from '../../data/home-start.ts';
import { catchUp } from '../../data/cache.ts';

const getHome = vi.fn<() => Promise<{ last_event_id: string }>>();
const home_key = ['home'];
const unread_key = ['unread'];
const inbox_key = ['inbox-count'];
const readHomePosition = (queries: QueryClient) => {
  const queryFn = async () => {
    const home = await getHome();
    for (const key of [unread_key, inbox_key]) queries.setQueryData(key, { count: 3 });
    return home;
  };
  return readPosition(queries, { queryKey: home_key, queryFn }, [unread_key, inbox_key]);
};

beforeEach(() => {
  getHome.mockReset();
  getHome.mockResolvedValue({ last_event_id: 'e7' });
});

/** Creates a cache in which the home page was read as the position of the stream. */
async function readFresh() {
  const queries = new QueryClient();
  const place = await readHomePosition(queries);
  if (!place) throw new Error('The home page was not read.');
  const isOld = (queryKey: readonly unknown[]) => queries.getQueryState([...queryKey])?.isInvalidated;
  return { queries, place, isOld };
}

it('the home page is requested once for the stream and the page together', async () => {
  const queries = new QueryClient();
  const page = new QueryObserver(queries, { queryKey: home_key, queryFn: getHome, staleTime: 10_000 });
  onTestFinished(page.subscribe(() => undefined));
  const place = await readHomePosition(queries);
  expect(place?.home.last_event_id).toBe('e7');
  catchUp(queries, [home_key], place?.isKnown);
  expect(page.getCurrentResult().fetchStatus).toBe('idle');
  expect(getHome).toHaveBeenCalledTimes(1);
});

it('the home page is fetched again with all other queries where the stream begins at the present', async () => {
  const { queries, isOld } = await readFresh();
  catchUp(queries, [home_key, unread_key]);
  expect([isOld(home_key), isOld(unread_key)]).toEqual([true, true]);
});

it('the home page keeps its parts fresh, but not a part that was read later, nor other queries', async () => {
  const { queries, place, isOld } = await readFresh();
  queries.setQueryData(['dm-count'], { count: 1 });
  queries.setQueryData(inbox_key, { count: 5 }, { updatedAt: Date.now() + 1_000 });
  catchUp(queries, [home_key, unread_key, inbox_key, ['dm-count']], place.isKnown);
  expect([isOld(home_key), isOld(unread_key)]).toEqual([false, false]);
  expect([isOld(inbox_key), isOld(['dm-count'])]).toEqual([true, true]);
});

it('the home page is read again where an earlier page stored it with another position', async () => {
  const queries = new QueryClient();
  const stored_at_ms = performance.timeOrigin - 1_000;
  queries.setQueryData(home_key, { last_event_id: 'e1' }, { updatedAt: stored_at_ms });
  expect((await readHomePosition(queries))?.home.last_event_id).toBe('e7');
});

it('the home page answers the first requests of its parts, and no later ones', async () => {
  const queries = new QueryClient();
  const read = vi.fn(async () => 1);
  const pick = ({ last_event_id }: { last_event_id: string }) => Number(last_event_id.slice(1));
  const place = readHomePosition(queries);
  registerFirstRequest(
    queries,
    place.then((found) => found?.home as Home | undefined),
  );
  expect(await readFromHome(queries, pick, read)).toBe(7);
  await place;
  expect(read).not.toHaveBeenCalled();
  expect(await readFromHome(queries, pick, read)).toBe(1);
});

it('the home page leaves each part to its own request where it cannot be read', async () => {
  const queries = new QueryClient();
  registerFirstRequest(queries, Promise.reject(new Error('no network')));
  expect(
    await readFromHome(
      queries,
      () => 7,
      async () => 1,
    ),
  ).toBe(1);
});

it('the home page returns no position where it cannot be read', async () => {
  getHome.mockRejectedValue(new Error('no network'));
  expect(await readHomePosition(new QueryClient())).toBeUndefined();
});

it('what is read after the home page is not read again, even if it was asked for before', async () => {
  const queries = new QueryClient();
  const read = vi.fn(async () => ({ count: 1 }));
  const stored_at_ms = performance.timeOrigin - 1_000;
  queries.setQueryData(['stored'], { count: 0 }, { updatedAt: stored_at_ms });
  const asked = (key: string) => ({ queryKey: [key], meta: AFTER_HOME, queryFn: () => afterHome(queries, read) });
  const answer = Promise.withResolvers<{ last_event_id: string }>();
  getHome.mockReturnValue(answer.promise);
  const place = readHomePosition(queries);
  registerFirstRequest(
    queries,
    place.then((found) => found?.home as Home | undefined),
  );
  const count = queries.fetchQuery(asked('dm-count'));
  await Promise.resolve();
  expect(read).not.toHaveBeenCalled();
  answer.resolve({ last_event_id: 'e7' });
  await Promise.all([place, count]);
  catchUp(queries, [['dm-count'], ['stored']], (await place)?.isKnown);
  const isOld = (key: string) => queries.getQueryState([key])?.isInvalidated;
  expect([isOld('dm-count'), isOld('stored')]).toEqual([false, true]);
});
