/**
 * Live positions: sent to connected viewers, at most once in an interval per person, on each node. The
 * positions of a moment are sent together, so that they share a statement, and a write to each viewer.
 */
import type { Services } from '../../../kernel/services.ts';
import { locationUpdated } from '../events.ts';
import { presentPerson } from '../../../domain/location/positions.ts';
import { selectLive } from './positions.ts';
import { recordViews } from '../../../domain/location/views.ts';

/** How long positions are gathered before they are sent. */
const gather_ms = 250;
/** The maximum of positions in one statement. */
const portion = 100;

/** The owners on a node whose positions change. */
type Live = {
  /** Those whose position is sent when the gathering is over. */
  moved: Set<string>;
  /** Those whose position was gathered within the interval, and whether it has changed since. */
  recent: Map<string, boolean>;
};

const live_of = new WeakMap<Services, Live>();

/** Sends the new position of a user to their viewers: soon, or when the interval since the last one is over. */
export function queueLivePosition(services: Services, owner_id: string): void {
  const live = live_of.get(services) ?? { moved: new Set(), recent: new Map() };
  live_of.set(services, live);
  if (live.recent.has(owner_id)) live.recent.set(owner_id, true);
  else gather(services, live, owner_id);
}

/** The interval counts from here, so that somebody who reports once in it has each report sent. */
function gather(services: Services, live: Live, owner_id: string): void {
  live.recent.set(owner_id, false);
  setTimeout(() => {
    const has_moved = live.recent.get(owner_id);
    live.recent.delete(owner_id);
    if (has_moved) gather(services, live, owner_id);
  }, services.limits.location_report_s * 1000).unref();
  live.moved.add(owner_id);
  if (live.moved.size > 1) return;
  setTimeout(() => {
    const owner_ids = [...live.moved];
    live.moved.clear();
    sendAll(services, live, owner_ids).catch((error: unknown) =>
      services.log.warn({ err: error }, 'failed to send positions'),
    );
  }, gather_ms).unref();
}

async function sendAll(services: Services, live: Live, owner_ids: string[]): Promise<void> {
  const counted_ms = services.limits.location_report_s * 1000 - gather_ms;
  const due: string[] = [];
  const count = async (id: string) => {
    if ((await services.bus.increment(`location:${id}`, counted_ms)) === 1) due.push(id);
    // Another node has sent an earlier position: this one is sent after the interval.
    else if (live.recent.has(id)) live.recent.set(id, true);
  };
  await Promise.all(owner_ids.map(count));
  for (let at = 0; at < due.length; at += portion) await sendPortion(services, due.slice(at, at + portion));
}

async function sendPortion(services: Services, owner_ids: string[]): Promise<void> {
  const positions = await selectLive(services.db, owner_ids, services.clock.now());
  for (const { row, viewers } of positions)
    services.broadcast(locationUpdated, viewers, presentPerson(row, { services }));
  for (const { row, viewers } of positions) await recordViews(services, [row.user.id], viewers);
}
