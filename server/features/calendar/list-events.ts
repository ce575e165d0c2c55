import { CalendarEvent, presentEvent, scheduleOf, selectEvents } from '../../domain/calendar/events.ts';
import { viewerOf, type Viewer } from '../../domain/visibility/viewer.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { endpoint, JsonText } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limit, pageQuery, requireOnePosition, toPage, type Page } from '../../kernel/page.ts';
import { listOf, object, optional, Type } from '../../kernel/schema.ts';
import { readMoment, toSeconds } from '../../kernel/time.ts';
import { newestEvents, selectWindow } from './queries.ts';
import { readEvents } from './rules/window-events.ts';
import { firstStart, writeOccurrences } from './rules/window-occurrences.ts';
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

function readWindow(from: string | undefined, to: string | undefined): { from: Date; to: Date } {
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

/** The page of a window: first finds when each event first takes place in it, then writes those of the page. */
async function listWindow(
  db: Queryable,
  viewer: Viewer,
  { from, to }: { from: Date; to: Date },
  page: Page,
): Promise<JsonText> {
  const { services } = viewer;
  const { offset = 0, limit = default_limit } = page;
  const window = { from_s: toSeconds(from), to_s: Math.ceil(to.getTime() / 1000) };
  const steps = { left: default_limits.window_steps };
  const rows = await selectWindow(db, viewer.id, { from, to, max: offset + limit + 1 });
  const found = rows.flatMap((row) => {
    const schedule = scheduleOf(row);
    const at_s = firstStart(services, schedule, window, steps);
    return at_s === undefined ? [] : [{ ...row, schedule, at_s }];
  });
  const order = found.toSorted((a, b) => a.at_s - b.at_s || (a.id < b.id ? -1 : 1));
  const shown = order.slice(offset, offset + limit);
  const events = await readEvents(db, viewer, shown);
  const items: string[] = [];
  let has_more = order.length > offset + limit;
  let held = 0;
  for (const { id } of shown) {
    if (held >= default_limits.window_occurrences) {
      has_more = true;
      break;
    }
    const event = events.get(id);
    if (!event) continue;
    const { text, count } = writeOccurrences(services, event.schedule, window, steps);
    // The text of the event without its closing brace.
    items.push(`${event.text.slice(0, -1)},"occurrences":${text}}`);
    held += count;
  }
  return new JsonText(`{"items":[${items.join()}],"has_more":${has_more}}`);
}
