/**
 * Live positions: sent to connected viewers, at most once in an interval per person, on whichever node they report.
 */
import type { Services } from '../../../kernel/services.ts';
import { locationUpdated } from '../events.ts';
import { presentPerson } from '../../../domain/location/positions.ts';
import { selectLive } from './positions.ts';
import { recordViews } from '../../../domain/location/views.ts';

/** Owners whose newest position is sent when the interval is over, by node. */
const waiting = new WeakMap<Services, Map<string, NodeJS.Timeout>>();

/** Sends the new position of a user to their viewers: now, or when the interval since the last one is over. */
export async function emitMoved(services: Services, owner_id: string): Promise<void> {
  const timers = waiting.get(services) ?? new Map<string, NodeJS.Timeout>();
  waiting.set(services, timers);
  if (timers.has(owner_id)) return;
  const interval_ms = services.limits.location_report_s * 1000;
  const count = await services.bus.increment(`location:${owner_id}`, interval_ms);
  if (count === 1) return emitNow(services, owner_id);
  const timer = setTimeout(() => {
    timers.delete(owner_id);
    emitMoved(services, owner_id).catch((error: unknown) =>
      services.log.warn({ err: error }, 'failed to send a position'),
    );
  }, interval_ms);
  timers.set(owner_id, timer.unref());
}

async function emitNow(services: Services, owner_id: string): Promise<void> {
  const live = await selectLive(services.db, owner_id, services.clock.now());
  if (!live || live.viewers.length === 0) return;
  services.broadcast(locationUpdated, live.viewers, presentPerson(live.row, services.public_url));
  await recordViews(services, [owner_id], live.viewers);
}
