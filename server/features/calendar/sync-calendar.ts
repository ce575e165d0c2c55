import { CalendarChange, presentEvent } from '../../domain/calendar/events.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { default_limit } from '../../kernel/page.ts';
import { object, optional, Type } from '../../kernel/schema.ts';
import { readCursor, requireFresh, oldestTombstone, writeCursor } from './rules/cursors.ts';
import { selectChanges, selectSyncState, type SyncState } from './rules/sync-queries.ts';

export const syncCalendar = endpoint({
  id: 'syncCalendar',
  route: 'GET /calendar/sync',
  summary: 'Sync your calendar',
  description: 'Changes since a cursor, or since what this session last acknowledged.',
  query: object({
    cursor: optional(Type.String({ maxLength: 64, description: 'From the previous response; empty for a full sync.' })),
    limit: optional(Type.Integer({ minimum: 1, maximum: default_limits.page_items })),
  }),
  reply: object({
    items: Type.Array(CalendarChange, { maxItems: default_limits.page_items }),
    cursor: Type.String({ description: 'For the next request, and to acknowledge once the items are stored.' }),
    has_more: Type.Boolean(),
  }),
  errors: ['gone'],
  async run({ query: { cursor, limit = default_limit }, ...input }) {
    const { db, caller, now } = input;
    const viewer = viewerOf(input);
    const state = await selectSyncState(db, viewer.id, caller.session_id);
    const from = cursor ? readCursor(cursor) : undefined;
    if (from) requireFresh(from, state, now);
    const since = from?.seq ?? (cursor === '' ? 0 : acknowledged(state, now));
    const rows = await selectChanges(db, viewer.id, { since, limit, is_first: cursor === '' });
    const page = rows.slice(0, limit);
    return {
      items: page.map((row) =>
        row.is_there
          ? { op: 'upsert' as const, event: presentEvent(row, viewer) }
          : { op: 'delete' as const, event_id: row.event_id },
      ),
      cursor: writeCursor({ seq: page.at(-1)?.seq ?? since, at: now }),
      has_more: rows.length > limit,
    };
  },
});

/** How far a session has synced; undefined when that is so long ago that deletions may be missing. */
function acknowledged({ acked_seq, acknowledged_at, forgotten_seq }: SyncState, now: Date): number {
  if (acked_seq === null || acknowledged_at === null) return 0;
  return acknowledged_at < oldestTombstone(now) || acked_seq < forgotten_seq ? 0 : acked_seq;
}
