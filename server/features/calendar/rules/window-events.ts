/**
 * The events of a window as JSON, without their occurrences. Texts are cached by the version of the rows that they show,
 * which the statement before has read, together with whether the viewer may see them: so a stale text is never used.
 */
import { presentEvent, scheduleOf, selectEventsById } from '../../../domain/calendar/events.ts';
import type { Schedule } from '../../../domain/recurrence/schedule.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import type { Queryable } from '../../../kernel/database/database.ts';
import { createRowCache } from '../../../kernel/row-cache.ts';

/** The maximum of cached text in characters. */
const max_cached = 8_000_000;
/** What an entry needs besides its text, with its key. */
const entry_size = 200;

const cache = createRowCache<string>(max_cached, (text) => entry_size + text.length);

/** An event of a window: its text, and when it takes place by the same row. */
export type WindowEvent = { text: string; schedule: Schedule };

/** Some events by identifier, without those that no longer exist. */
export async function readEvents(
  db: Queryable,
  viewer: Viewer,
  wanted: { id: string; version: string | null; schedule: Schedule }[],
): Promise<Map<string, WindowEvent>> {
  const events = new Map<string, WindowEvent>();
  const missing = new Map<string, string | null>();
  for (const { id, version, schedule } of wanted) {
    const text = version === null ? undefined : cache.get(viewer.services, version);
    if (text === undefined) missing.set(id, version);
    else events.set(id, { text, schedule });
  }
  if (missing.size === 0) return events;
  for (const row of await selectEventsById(db, viewer.id, [...missing.keys()])) {
    const text = JSON.stringify(presentEvent(row, viewer));
    events.set(row.id, { text, schedule: scheduleOf(row) });
    const version = missing.get(row.id);
    // It may have been shared since its version was read.
    const is_shared = row.share_sealed !== null || row.guests !== null;
    if (version && !is_shared) cache.set(viewer.services, version, text);
  }
  return events;
}
