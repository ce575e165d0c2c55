import { recordChanges } from '../../domain/calendar/changes.ts';
import { calendarChanged, presentEvent, requireEvent, type EventRow } from '../../domain/calendar/events.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Change, Services } from '../../kernel/services.ts';

const topicOf = (user_id: string) => `user:${user_id}` as const;

/**
 * Sends the current state of an event to all devices of its owner and guests, and records the change for later syncs.
 */
export async function emitChanged(
  change: Change,
  services: Services,
  event_id: string,
  owner_id: string,
): Promise<EventRow> {
  const { db, now, emit } = change;
  const [row, guests] = await Promise.all([
    requireEvent(db, event_id, owner_id),
    db.many<{ user_id: string }>(sql`select user_id from calendar_guests where event_id = ${event_id}`),
  ]);
  const ids = guests.map(({ user_id }) => user_id);
  const touches = [owner_id, ...ids].map((user_id) => ({ user_id, event_id, is_deleted: false }));
  await recordChanges(db, touches, now);
  const seenBy = (id: string) => ({ op: 'upsert' as const, event: presentEvent(row, { id, services }) });
  emit(calendarChanged, [topicOf(owner_id)], seenBy(owner_id));
  // It is the same for all guests.
  if (ids.length > 0) emit(calendarChanged, ids.map(topicOf), seenBy(''));
  return row;
}

/** Notifies people that events are no longer visible to them. */
export async function emitGone(change: Change, gone: { user_id: string; event_id: string }[]): Promise<void> {
  await recordChanges(
    change.db,
    gone.map((one) => ({ ...one, is_deleted: true })),
    change.now,
  );
  for (const { user_id, event_id } of gone)
    change.emit(calendarChanged, [topicOf(user_id)], { op: 'delete', event_id });
}
