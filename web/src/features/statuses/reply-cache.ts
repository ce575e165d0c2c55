/** The replies to statuses in the cache, and their numbers, which events do not contain: they depend on the reader's blocks. */
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { insertItem, removeItem } from '../../data/lists.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { feedKey, repliesKey, statusKey } from '../../data/queries/status-queries.ts';
import { mayBeRead } from '../../data/stream-start.ts';
import { changeStatus, type StatusReply } from './status-cache.ts';

/** How long events are collected until the number of replies is read, in milliseconds. */
const RECOUNT_AFTER_MS = 500;

interface Counted {
  /** Replies that are already counted: the reader's own arrive both in the response and on the stream. */
  readonly kept: Set<string>;
  readonly dropped: Set<string>;
  /** Statuses whose number is about to be read. */
  readonly recounted: Set<string>;
}

const counted = new WeakMap<QueryClient, Counted>();

function countedIn(queries: QueryClient): Counted {
  const known = counted.get(queries) ?? { kept: new Set(), dropped: new Set(), recounted: new Set() };
  counted.set(queries, known);
  return known;
}

/** Reads the number of replies to a status, if one is shown. */
function recount(queries: QueryClient, post_id: string): void {
  const { recounted } = countedIn(queries);
  let is_cached = false;
  changeStatus(queries, post_id, (status) => {
    is_cached = true;
    return status;
  });
  if (!is_cached || recounted.has(post_id)) return;
  recounted.add(post_id);
  setTimeout(() => {
    recounted.delete(post_id);
    sdk.statuses
      .getStatus({ path: { post_id } })
      .then(({ reply_count }) => changeStatus(queries, post_id, (status) => ({ ...status, reply_count })))
      // It was deleted meanwhile, which the stream reports, or there is no connection, after which all is read again.
      .catch(() => undefined);
  }, RECOUNT_AFTER_MS);
}

function count(queries: QueryClient, post_id: string, step: number): void {
  changeStatus(queries, post_id, (status) => ({ ...status, reply_count: Math.max(0, status.reply_count + step) }));
}

/** Inserts a reply and counts it, only once even if it arrives repeatedly. */
export function cacheReply(queries: QueryClient, reply: StatusReply): void {
  const { kept, dropped } = countedIn(queries);
  if (kept.has(reply.id)) return;
  kept.add(reply.id);
  dropped.delete(reply.id);
  insertItem(queries, repliesKey(reply.post_id), reply);
  count(queries, reply.post_id, 1);
}

/** Removes a reply and uncounts it, only once even if its deletion arrives repeatedly. */
export function dropReply(queries: QueryClient, post_id: string, reply_id: string): void {
  const { kept, dropped } = countedIn(queries);
  if (dropped.has(reply_id)) return;
  dropped.add(reply_id);
  kept.delete(reply_id);
  removeItem(queries, repliesKey(post_id), reply_id);
  count(queries, post_id, -1);
}

/** Whether the number of replies that was read may already contain what the stream reports. */
const isUncertain = (queries: QueryClient, post_id: string) =>
  mayBeRead(queries, [feedKey, profileKey, statusKey(post_id)]);

/** Caches a reply that the stream reports. */
export function cacheReportedReply(queries: QueryClient, reply: StatusReply): void {
  // The reader's own reply was counted when its request was answered.
  if (countedIn(queries).kept.has(reply.id)) return;
  if (isUncertain(queries, reply.post_id)) recount(queries, reply.post_id);
  cacheReply(queries, reply);
}

/** Removes a reply whose deletion the stream reports. */
export function dropReportedReply(queries: QueryClient, post_id: string, reply_id: string): void {
  if (countedIn(queries).dropped.has(reply_id)) return;
  if (isUncertain(queries, post_id)) recount(queries, post_id);
  dropReply(queries, post_id, reply_id);
}
