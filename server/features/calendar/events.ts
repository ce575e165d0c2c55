import { recordChanges } from '../../domain/calendar/changes.ts';
import {
  calendarChanged,
  type CalendarEntry,
  type EventRow,
  presentEvent,
  selectEventsById,
  selectGuestEntries,
} from '../../domain/calendar/events.ts';
import { found } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';

const topicOf = (user_id: string) => `user:${user_id}` as const;

/**
 * Sends the current state of an event to all devices of its owner and guests, and records the change for later syncs.
 * @throws ApiError `not_found`
 */
export async function emitChanged(change: Change, event_id: string, owner_id: string): Promise<EventRow> {
  return found((await emitAllChanged(change, [event_id], owner_id))[0]);
}

/** Like `emitChanged`, for many events of one owner in a constant number of statements: an owner may have a thousand. */
export async function emitAllChanged(change: Change, event_ids: string[], owner_id: string): Promise<EventRow[]> {
  const { db, now, emit } = change;
  const [rows, guests] = await Promise.all([
    selectEventsById(db, owner_id, event_ids),
    selectGuestEntries(db, event_ids),
  ]);
  const guests_of = Map.groupBy(guests, ({ event_id }) => event_id);
  const changed = rows.map((row) => ({
    row,
    guest_ids: (guests_of.get(row.id) ?? []).map(({ user_id }) => user_id),
  }));
  const touches = changed.flatMap(({ row, guest_ids }) =>
    [owner_id, ...guest_ids].map((user_id) => ({ user_id, event_id: row.id, is_deleted: false })),
  );
  await recordChanges(db, touches, now);
  for (const { row, guest_ids } of changed) {
    const seenBy = (id: string) => ({
      op: 'upsert' as const,
      event: presentEvent(row, { id, services: change.services }),
    });
    emit(calendarChanged, [topicOf(owner_id)], seenBy(owner_id));
    // All guests get the same data.
    if (guest_ids.length > 0) emit(calendarChanged, guest_ids.map(topicOf), seenBy(''));
  }
  return rows;
}

/** Notifies people that events are no longer visible to them. */
export async function emitGone(change: Change, gone: CalendarEntry[]): Promise<void> {
  await recordChanges(
    change.db,
    gone.map((one) => ({ ...one, is_deleted: true })),
    change.now,
  );
  for (const { user_id, event_id } of gone)
    change.emit(calendarChanged, [topicOf(user_id)], { op: 'delete', event_id });
}
