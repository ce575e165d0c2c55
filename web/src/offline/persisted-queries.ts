/**
 * Persists recently read data on this device for offline use: chats, the feed, contacts and the home page. The data
 * belong to one session, and are deleted with it.
 */
import { dehydrate, hydrate } from '@tanstack/react-query';
import type { DehydratedState, Query, QueryClient } from '@tanstack/react-query';
import { calendarKey } from '../features/calendar/calendar-queries.ts';
import { allGroupMessagesKey, groupChatsQuery } from '../features/chat/chat-queries.ts';
import { contactsKey } from '../data/queries/contact-queries.ts';
import { followsKey } from '../data/queries/follow-queries.ts';
import { gridQuery } from '../data/queries/grid-query.ts';
import { groupKey, groupsKey } from '../data/queries/group-queries.ts';
import { homeKey } from '../data/queries/home-query.ts';
import { mapConfigQuery } from '../features/location/location-queries.ts';
import { meQuery } from '../data/queries/me-query.ts';
import { allMessagesKey, threadKey, threadsKey } from '../data/queries/message-queries.ts';
import { feedKey } from '../data/queries/status-queries.ts';
import { clearPersistedQueries, readStored, store } from './device-storage.ts';

/** The first key elements of persisted queries: what people look up offline, and nothing that is only valid now. */
const PERSISTED: ReadonlySet<unknown> = new Set(
  [
    meQuery.queryKey,
    homeKey,
    feedKey,
    gridQuery.queryKey,
    threadsKey,
    threadKey,
    allMessagesKey,
    groupChatsQuery.queryKey,
    allGroupMessagesKey,
    groupsKey,
    groupKey,
    contactsKey,
    followsKey,
    calendarKey,
    mapConfigQuery.queryKey,
  ].map(([first]) => first),
);
/** The maximum number; with one page each that is less than 2 MB. */
const MAX_QUERIES = 80;
/** Incremented when pages need data that earlier answers did not contain: older persisted data are then discarded. */
const SHAPE = 4;
const SAVE_AFTER_MS = 1_500;

interface Kept {
  readonly session_id: string;
  readonly shape?: number;
  readonly state: DehydratedState;
}

/** A list opened in its middle is marked as not persisted: its first page alone is not its beginning. */
const isPersisted = ({ queryKey, state, meta }: Query) =>
  PERSISTED.has(queryKey[0]) && state.data !== undefined && meta?.['is_persisted'] !== false;

/** The service has withdrawn what is persisted of it. */
const isDropped = ({ queryKey, state }: Query) =>
  PERSISTED.has(queryKey[0]) && state.data === undefined && state.status === 'error';

/** Only the first page of a list, so that the size does not depend on how far the reader has scrolled. */
function shorten(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !Array.isArray(data.pages)) return data;
  const params = 'pageParams' in data && Array.isArray(data.pageParams) ? data.pageParams.slice(0, 1) : [];
  return { ...data, pages: data.pages.slice(0, 1), pageParams: params };
}

/** @param isShown whether the session still is the one of this page */
async function save(queries: QueryClient, session_id: string, isShown: () => boolean): Promise<void> {
  const { queries: all } = dehydrate(queries, {
    shouldDehydrateQuery: isPersisted,
    shouldDehydrateMutation: () => false,
  });
  const newest = all.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt).slice(0, MAX_QUERIES);
  const kept = newest.map((query) => ({
    ...query,
    // A failed refetch does not invalidate the data read before.
    state: { ...query.state, data: shorten(query.state.data), error: null, status: 'success' as const },
  }));
  const body: Kept = { session_id, shape: SHAPE, state: { queries: kept, mutations: [] } };
  await store(body, isShown);
}

/** Restores the persisted data of a session until they are refetched. Nothing without a cache, or with a broken one. */
export async function restoreQueries(queries: QueryClient, session_id: string): Promise<void> {
  if (typeof caches === 'undefined') return;
  try {
    const kept = (await readStored()) as Kept | undefined;
    if (kept === undefined) return;
    if (kept.session_id !== session_id || kept.shape !== SHAPE) return await clearPersistedQueries();
    hydrate(queries, kept.state);
    // All of it is refetched when it is shown, including queries that are otherwise not refetched.
    void queries.invalidateQueries({ refetchType: 'none' });
  } catch {
    await clearPersistedQueries();
  }
}

/** Persists queries from now on. @param readSession the session that reads them, or undefined when signed out */
export function persistQueries(queries: QueryClient, readSession: () => string | undefined): void {
  if (typeof caches === 'undefined') return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || timer !== undefined || !(isPersisted(query) || isDropped(query))) return;
    timer = setTimeout(() => {
      timer = undefined;
      const session_id = readSession();
      // When storage is full or forbidden, the page still has the data in memory.
      if (session_id === undefined) return;
      save(queries, session_id, () => readSession() === session_id).catch(() => undefined);
    }, SAVE_AFTER_MS);
  });
}
