import type { QueryClient } from '@tanstack/react-query';
import type { Reply, Status } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { changeItem, insertItem, removeItem } from '../../data/lists.ts';
import type { List, ListPage } from '../../data/lists.ts';
import { updateCached, refetchAfterFlight } from '../../data/cache.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { feedKey, statusKey, queuedStatusesKey } from '../../data/queries/status-queries.ts';

export type StatusReply = Reply<'statuses', 'listReplies'>['items'][number];
type Profile = Reply<'profiles', 'getProfile'>;

/**
 * Queued statuses that have arrived since the feed was fetched; with a gap, they do not reach down to the shown ones.
 */
export interface QueuedStatuses {
  readonly items: readonly Status[];
  readonly gap: boolean;
}

const NONE_QUEUED: QueuedStatuses = { items: [], gap: false };

/** Whether a status is still being sent. */
export function isSending(status: Status): boolean {
  return status.id.startsWith('sending-');
}

/** Changes a status wherever it is cached. */
export function changeStatus(queries: QueryClient, post_id: string, change: (status: Status) => Status): void {
  changeItem<Status>(queries, feedKey, post_id, change);
  updateCached<Status>(queries, statusKey(post_id), change);
  updateCached<Profile>(queries, profileKey, (profile) => changeIn(profile, post_id, change));
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, (queued = NONE_QUEUED) => ({
    ...queued,
    items: queued.items.map((status) => (status.id === post_id ? change(status) : status)),
  }));
}

const holds = ({ statuses }: Profile, post_id: string) => statuses.some(({ id }) => id === post_id);

function changeIn(profile: Profile, post_id: string, change: (status: Status) => Status): Profile {
  if (!holds(profile, post_id)) return profile;
  return { ...profile, statuses: profile.statuses.map((one) => (one.id === post_id ? change(one) : one)) };
}

/** Removes a status from every cached list. */
export function dropStatus(queries: QueryClient, post_id: string): void {
  removeItem(queries, feedKey, post_id);
  updateCached<Profile>(queries, profileKey, (profile) =>
    holds(profile, post_id) ? { ...profile, statuses: profile.statuses.filter(({ id }) => id !== post_id) } : profile,
  );
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, (queued = NONE_QUEUED) => ({
    ...queued,
    items: queued.items.filter(({ id }) => id !== post_id),
  }));
}

/** Removes a status that its author has deleted; its own page refetches it, and shows that it is gone. */
export function forgetStatus(queries: QueryClient, post_id: string): void {
  dropStatus(queries, post_id);
  void queries.invalidateQueries({ queryKey: statusKey(post_id) });
}

/** Inserts the reader's own new status, or one whose deletion was undone. */
export function cacheStatus(queries: QueryClient, status: Status): void {
  insertItem(queries, feedKey, status);
  // The stream, or a catch-up, may have queued it before the reply arrived.
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, (queued = NONE_QUEUED) => ({
    ...queued,
    items: queued.items.filter(({ id }) => id !== status.id),
  }));
  updateCached<Profile>(queries, profileKey, (profile) => {
    if (profile.tag.id !== status.tag?.id || holds(profile, status.id)) return profile;
    const statuses = [...profile.statuses, status].sort((one, other) => (one.id < other.id ? 1 : -1));
    return { ...profile, statuses };
  });
}

function shownIds(queries: QueryClient): ReadonlySet<string> {
  const feed = queries.getQueryData<List<Status>>(feedKey);
  return new Set(feed?.pages.flatMap(({ items }) => items.map(({ id }) => id)));
}

/** Queues a status of another person above the feed, so that nothing moves while the reader reads. */
export function queueStatus(queries: QueryClient, status: Status): void {
  // The pending first request may have been read before this status existed, so it is repeated.
  if (queries.getQueryData(feedKey) === undefined) return refetchAfterFlight(queries, feedKey);
  if (shownIds(queries).has(status.id)) return;
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, (queued = NONE_QUEUED) =>
    queued.items.some(({ id }) => id === status.id)
      ? queued
      : { ...queued, items: [status, ...queued.items].sort((one, other) => (one.id < other.id ? 1 : -1)) },
  );
}

/**
 * Catches up on what the stream could not deliver: newer statuses are queued, and a gap is marked when they do not
 * reach down to the shown ones.
 * @param read the newest page of the feed, if it has just been read
 */
export async function catchUpFeed(
  queries: QueryClient,
  read?: Pick<ListPage<Status>, 'items' | 'has_more'>,
): Promise<void> {
  if (queries.getQueryData(feedKey) === undefined) return refetchAfterFlight(queries, feedKey);
  const head = read ?? (await sdk.statuses.getFeed({ query: { limit: 30 } }));
  // Determined after the request: a status that the reader posted in the meantime is shown by now.
  const shown = shownIds(queries);
  const newer = head.items.filter(({ id }) => !shown.has(id));
  for (const status of head.items) changeStatus(queries, status.id, () => status);
  const gap = shown.size > 0 && newer.length === head.items.length && head.has_more;
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, { items: newer, gap });
}

/** Moves queued statuses into the feed. */
export function flushQueue(queries: QueryClient): void {
  const queued = queries.getQueryData<QueuedStatuses>(queuedStatusesKey) ?? NONE_QUEUED;
  queries.setQueryData<QueuedStatuses>(queuedStatusesKey, NONE_QUEUED);
  if (queued.gap) {
    const page = { items: [...queued.items], has_more: true };
    queries.setQueryData<List<Status>>(feedKey, { pages: [page], pageParams: [undefined] });
  } else for (const status of queued.items) insertItem(queries, feedKey, status);
}
