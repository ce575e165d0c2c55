/**
 * Where the stream of events of this page starts: before everything that the page has read. Every reply names the
 * position of the stream at which it was read; with the events since the earliest one, nothing has to be read again when
 * the stream is connected.
 */
import { comparePositions } from '@asterism/sdk';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { IsKnown } from './cache.ts';

/** The start of one stream. */
export interface StreamStart {
  /** The position after which it starts, when it connects first; undefined for that moment. */
  readonly last_event_id: () => string | undefined;
  /** Whether the stream keeps the data of a query up to date from there. */
  readonly isKnown: IsKnown;
  /** Ends it with its stream. */
  readonly end: () => void;
}

/** How long after a read an event that comes may be older than it, in milliseconds: its way takes longer than that of the reply. */
const OVERLAP_MS = 1_000;

/** When this page has read a query, as opposed to data that an earlier page has stored on the device. */
const read = new WeakMap<Query, number>();

/** When the stream has started. */
let started_ms = -Infinity;

/** The earliest position of a reply since the page was opened, or since somebody has signed in. */
let earliest: string | undefined;
let has_started = false;
let onEarlier: (() => void) | undefined;

/** Registers the position of a reply, which other replies may have overtaken. */
export function registerPosition(position: string): void {
  if (has_started && onEarlier === undefined) return;
  const order = earliest === undefined ? undefined : comparePositions(position, earliest);
  if (order !== undefined && order >= 0) return;
  const is_late = earliest !== undefined && has_started;
  earliest = position;
  if (is_late) onEarlier?.();
}

/** Registers from now on which queries are read. */
export function trackReads(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true) read.set(event.query, performance.now());
  });
}

/** Registers a query as read whose data the reply of another one contained. */
export function registerRead(queries: QueryClient, queryKey: QueryKey): void {
  const query = queries.getQueryCache().find({ queryKey, exact: true });
  if (query !== undefined) read.set(query, performance.now());
}

/**
 * Whether an event that comes now may already be part of what was read under one of the keys: it has just been read, or the
 * stream has just started, which begins a little before the reads.
 */
export function mayBeRead(queries: QueryClient, queryKeys: readonly QueryKey[]): boolean {
  const since_ms = performance.now() - OVERLAP_MS;
  const isNew = (query: Query) => (read.get(query) ?? -Infinity) > since_ms;
  return (
    started_ms > since_ms || queryKeys.some((queryKey) => queries.getQueryCache().findAll({ queryKey }).some(isNew))
  );
}

/**
 * Creates the start of a stream. The first one of a session starts before what was read; a later one at the moment at
 * which it connects, so that everything has to be read again.
 * @param refetch is called when a reply arrives that was read before the start, by another node for example
 */
export function createStreamStart(refetch: () => void): StreamStart {
  let start: string | undefined;
  return {
    last_event_id: () => {
      if (has_started || earliest === undefined) return undefined;
      has_started = true;
      onEarlier = refetch;
      start = earliest;
      started_ms = performance.now();
      return start;
    },
    isKnown: (query) => start !== undefined && (read.has(query) || query.state.fetchStatus === 'fetching'),
    end: () => {
      onEarlier = undefined;
    },
  };
}

/** Begins again, since the session has changed. */
export function resetStreamStart(): void {
  earliest = undefined;
  started_ms = -Infinity;
  has_started = false;
  onEarlier = undefined;
}
