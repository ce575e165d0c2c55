import { CalendarChange, eventColumns, presentEvent, type EventRow } from '../../domain/calendar/events.ts';
import { maySeeEvent } from '../../domain/visibility/calendar.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { default_limit } from '../../kernel/page.ts';
import { object, optional, Type } from '../../kernel/schema.ts';
import { readCursor, requireFresh, oldestTombstone, writeCursor } from './rules/cursors.ts';

type SyncState = { seq: number; forgotten_seq: number; acked_seq: number | null; acknowledged_at: Date | null };
type ChangeRow = EventRow & { seq: number; event_id: string; is_there: boolean };

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
    // Only a device without any data can skip deletions: an acknowledgement may have been lost.
    const rows = await db.many<ChangeRow>(sql`
      select h.seq::float8 as seq, h.event_id, ${eventColumns(viewer.id)},
        (h.deleted_at is null and e.id is not null and ${maySeeEvent(viewer.id)}) as is_there
      from calendar_changes h left join calendar_events e on e.id = h.event_id left join users u on u.id = e.owner_id
      where h.user_id = ${viewer.id} and h.seq > ${since} and (${cursor !== ''}::boolean or h.deleted_at is null)
      order by h.seq limit ${limit + 1}`);
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

function selectSyncState(db: Queryable, user_id: string, session_id: string): Promise<SyncState> {
  return db.one<SyncState>(sql`
    select coalesce(c.seq, 0)::float8 as seq, coalesce(c.forgotten_seq, 0)::float8 as forgotten_seq,
      a.seq::float8 as acked_seq, a.acknowledged_at
    from (select 1) as one left join calendar_users c on c.user_id = ${user_id}
    left join calendar_acks a on a.session_id = ${session_id}`);
}
