/** Pagination: query parameters, order, and the one way to cut a page. */
import { invalid } from './errors.ts';
import { firstIdAt, idPattern, type IdPrefix } from './id.ts';
import { object, optional, Type } from './schema.ts';
import { raw, sql, type Sql } from './database/database.ts';
import { readMoment } from './time.ts';
import { default_limits } from './load/limits.ts';

/** The number of items of a page by default. */
export const default_limit = 30;

const limit = optional(
  Type.Integer({
    minimum: 1,
    maximum: default_limits.page_items,
    description: `Page size; ${default_limit} by default.`,
  }),
);
const offset = optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'The number of items to skip.' }));

/** Parameters of a list without an order in time. */
export const offsetQuery = { limit, offset };

/** Parameters of a list in time order, newest first. */
export const pageQuery = (prefix: IdPrefix) => ({
  limit,
  offset,
  before_id: optional(Type.String({ pattern: idPattern(prefix), description: 'Only items older than this one.' })),
});

/** Parameters of a list in time order that can also be opened at an item, and read from there towards the newest. */
export const windowQuery = (prefix: IdPrefix) => {
  const item = (description: string) => optional(Type.String({ pattern: idPattern(prefix), description }));
  return {
    ...pageQuery(prefix),
    after_id: item('Only messages newer than this one, closest first. `has_more` refers to newer messages.'),
    around_id: item('This message and its neighbours on both sides. `has_more` refers to older messages.'),
    since: optional(Type.String({ format: 'date-time', description: 'Like `after_id`, from a point in time.' })),
  };
};

/** The query of a list with {@link windowQuery} alone. */
export const WindowQuery = (prefix: IdPrefix) => object(windowQuery(prefix));

/** The query of a list with {@link pageQuery} alone. */
export const PageQuery = (prefix: IdPrefix) => object(pageQuery(prefix));

/** The position and the size of a page. */
export type Page = { limit?: number; offset?: number; before_id?: string };
/** The position of a page in a list that can be read in both directions. */
export type Window = Page & { after_id?: string; around_id?: string; since?: string };

const position_parameters = ['before_id', 'after_id', 'around_id', 'since', 'offset'] as const;

/** Refuses a page that is positioned in two ways at once. @throws ApiError `validation_failed` */
export function requireOnePosition(page: Window): void {
  const [one, other] = position_parameters.filter((parameter) => page[parameter] !== undefined);
  if (one !== undefined && other !== undefined) invalid({ [one]: `cannot be used together with ${other}` });
}

/** The end of a list statement: cursor, order and one row more than the limit. `column` is the time-ordered id. */
export function pageOf(page: Page, column: string): Sql {
  const by = raw(column);
  const cursor = page.before_id === undefined ? sql`` : sql`and ${by} < ${page.before_id}`;
  return sql`${cursor} order by ${by} desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/**
 * Replaces the time of a window by the identifier that an item written then would have.
 * @throws ApiError `validation_failed`
 */
export function resolveWindow(prefix: IdPrefix, window: Window): Window {
  if (window.since === undefined) return window;
  const at = readMoment(window.since) ?? invalid({ since: 'must be a date and time in RFC 3339 format' });
  return { ...window, after_id: firstIdAt(prefix, at) };
}

/** A part of a list: between identifiers, from one of its ends. */
export type Span = {
  below?: string | undefined;
  up_to?: string;
  above?: string;
  is_oldest_first: boolean;
  limit: number;
  offset: number;
};

/**
 * Reads a page of a list that can be opened at one of its items.
 * @param read reads the rows that `which` selects, a condition with order and limit to be appended to another; the span says
 *   the same
 * @param column the time-ordered id
 */
export async function readWindow<Row, Item>(
  window: Window,
  column: string,
  read: (which: Sql, span: Span) => Promise<Row[]>,
  present: (row: Row) => Item,
): Promise<{ items: Item[]; has_more: boolean }> {
  const by = raw(column);
  const size = window.limit ?? default_limit;
  const newerThan = (id: string, max: number) =>
    read(sql`and ${by} > ${id} order by ${by} limit ${max}`, {
      above: id,
      is_oldest_first: true,
      limit: max,
      offset: 0,
    });
  if (window.after_id !== undefined) {
    const rows = await newerThan(window.after_id, size + 1);
    return { items: rows.slice(0, size).toReversed().map(present), has_more: rows.length > size };
  }
  if (window.around_id === undefined) {
    const span = { below: window.before_id, is_oldest_first: false, limit: size + 1, offset: window.offset ?? 0 };
    return toPage(await read(pageOf(window, column), span), window, present);
  }
  const older = Math.ceil(size / 2);
  const [newer, rest] = await Promise.all([
    newerThan(window.around_id, size - older),
    read(sql`and ${by} <= ${window.around_id} order by ${by} desc limit ${older + 1}`, {
      up_to: window.around_id,
      is_oldest_first: false,
      limit: older + 1,
      offset: 0,
    }),
  ]);
  const page = toPage(rest, { limit: older }, present);
  return { items: [...newer.toReversed().map(present), ...page.items], has_more: page.has_more };
}

/** Cuts the extra row, which indicates that there are more. */
export function toPage<Row, Item>(
  rows: Row[],
  page: Page,
  present: (row: Row) => Item,
): { items: Item[]; has_more: boolean } {
  const size = page.limit ?? default_limit;
  return { items: rows.slice(0, size).map(present), has_more: rows.length > size };
}
