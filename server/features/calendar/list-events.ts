import { CalendarEvent, presentEvent, scheduleOf, selectEvents } from '../../domain/calendar/events.ts';
import { max_occurrences, occurrencesIn } from '../../domain/recurrence/schedule.ts';
import { viewerOf, type Viewer } from '../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limit, pageQuery, requireOnePosition, toPage, type Page } from '../../kernel/page.ts';
import { listOf, object, optional, Type } from '../../kernel/schema.ts';
import { readMoment } from '../../kernel/time.ts';
import { toSeconds } from './jobs.ts';
import { newestEvents, selectWindow } from './queries.ts';
import { default_limits } from '../../kernel/load/limits.ts';

const end = (description: string) => optional(Type.String({ maxLength: 40, description }));

export const listEvents = endpoint({
  id: 'listEvents',
  route: 'GET /calendar/events',
  summary: 'List events',
  description: `A page of a window is limited to ${default_limits.window_occurrences} occurrences; \`has_more\` is then true.`,
  query: object({
    from: end('With `to`: only events between the two, each with its occurrences in between, earliest first.'),
    to: end(`At most ${default_limits.calendar_window_days} days after \`from\`.`),
    ...pageQuery('evt'),
  }),
  reply: listOf(CalendarEvent),
  offset_with: ['to', 'from'],
  async run({ query: { from, to, ...page }, ...input }) {
    requireOnePosition(page);
    const viewer = viewerOf(input);
    if (from === undefined && to === undefined) {
      const rows = await selectEvents(input.db, viewer.id, newestEvents(viewer.id, page));
      return toPage(rows, page, (row) => presentEvent(row, viewer));
    }
    if (page.before_id !== undefined) invalid({ before_id: 'cannot be used together with from and to' });
    return listWindow(input.db, viewer, readWindow(from, to), page);
  },
});

type Window = { from: Date; to: Date };

function readWindow(from: string | undefined, to: string | undefined): Window {
  const read = (field: string, typed: string | undefined): Date =>
    typed === undefined
      ? invalid({ [field]: 'is required' })
      : (readMoment(typed) ?? invalid({ [field]: 'must be a date and time in RFC 3339 format' }));
  const begins = read('from', from);
  const window = { from: begins, to: read('to', to) };
  const length_ms = window.to.getTime() - window.from.getTime();
  if (length_ms <= 0) invalid({ to: 'must be after from' });
  if (length_ms > default_limits.calendar_window_days * 86_400_000)
    invalid({ to: `must be at most ${default_limits.calendar_window_days} days after from` });
  return window;
}

/** The page of a window: first finds when each event first takes place in it, then reads those of the page. */
async function listWindow(db: Queryable, viewer: Viewer, { from, to }: Window, page: Page) {
  const { offset = 0, limit = default_limit } = page;
  const [from_s, to_s] = [toSeconds(from), Math.ceil(to.getTime() / 1000)];
  const steps = { left: default_limits.window_steps };
  const rows = await selectWindow(db, viewer.id, { from, to, most: offset + limit + 1 });
  const found = rows.flatMap((row) => {
    const [first] = occurrencesIn(scheduleOf(row), from_s, to_s, 1, steps);
    return first ? [{ id: row.id, at_s: first.starts_s }] : [];
  });
  const order = found.toSorted((a, b) => a.at_s - b.at_s || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
  const ids = order.slice(offset, offset + limit);
  const events = await selectEvents(db, viewer.id, sql`e.id = any(${ids}::text[])`);
  const byId = new Map(events.map((row) => [row.id, row]));
  const items = [];
  let held = 0;
  for (const id of ids) {
    if (held >= default_limits.window_occurrences) return { items, has_more: true };
    const row = byId.get(id);
    if (!row) continue;
    const occurrences = occurrencesIn(scheduleOf(row), from_s, to_s, max_occurrences, steps);
    items.push(presentEvent(row, viewer, occurrences));
    held += occurrences.length;
  }
  return { items, has_more: order.length > offset + limit };
}
