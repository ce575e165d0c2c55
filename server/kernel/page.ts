/** Lists: their query parameters, their order, and the one way to cut a page. */
import { invalid } from './errors.ts';
import { idPattern, type IdPrefix } from './id.ts';
import { object, optional, Type } from './schema.ts';
import { raw, sql, type Sql } from './database/database.ts';
import { default_limits } from './load/limits.ts';

export const default_limit = 30;

const limit = optional(
  Type.Integer({
    minimum: 1,
    maximum: default_limits.page_items,
    description: `How many, ${default_limit} unless told.`,
  }),
);
const offset = optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'How many to pass over.' }));

/** Parameters of a list that has no order in time. */
export const offsetQuery = { limit, offset };

/** Parameters of a list in time order, newest first. */
export const pageQuery = (prefix: IdPrefix) => ({
  limit,
  offset,
  before_id: optional(Type.String({ pattern: idPattern(prefix), description: 'Only what is older than this one.' })),
});

export const PageQuery = (prefix: IdPrefix) => object(pageQuery(prefix));

export type Page = { limit?: number; offset?: number; before_id?: string };

/** Refuses a page that is told in two ways at once. @throws ApiError `validation_failed` */
export function requireOneWay(page: Page): void {
  if (page.before_id !== undefined && page.offset !== undefined)
    invalid({ before_id: 'cannot be used together with offset' });
}

/** The end of a list's statement: cursor, order and one row more than asked for. `column` is the time-ordered id. */
export function pageOf(page: Page, column: string): Sql {
  const by = raw(column);
  const cursor = page.before_id === undefined ? sql`` : sql`and ${by} < ${page.before_id}`;
  return sql`${cursor} order by ${by} desc limit ${(page.limit ?? default_limit) + 1} offset ${page.offset ?? 0}`;
}

/** Cuts the row that says that there are more. */
export function toPage<Row, Item>(
  rows: Row[],
  page: Page,
  present: (row: Row) => Item,
): { items: Item[]; has_more: boolean } {
  const size = page.limit ?? default_limit;
  return { items: rows.slice(0, size).map(present), has_more: rows.length > size };
}
