/** One page of any list of the service. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly has_more: boolean;
}

/** The query parameters that paging sets. */
export interface PageQuery {
  before_id?: string;
  offset?: number;
  limit?: number;
}

/**
 * Iterates over a list to its end, requesting each page only when it is needed.
 * With `before_id` (the default) nothing is skipped or repeated while rows are added; `offset` is for lists that are
 * not in time order, such as search results.
 * @param load sends one request, for example `(query) => sdk.tags.listTags({ query })`
 * @param start the number of items to skip first
 * @param cursor the member of an item that is sent as `before_id`, with a dot before that of a nested object
 */
export async function* iterate<T>(
  load: (query: PageQuery) => Promise<Page<T>>,
  by: 'before_id' | 'offset' = 'before_id',
  start = 0,
  cursor = 'id',
): AsyncGenerator<T, void, undefined> {
  let query: PageQuery = start > 0 ? { offset: start } : {};
  let seen = start;
  for (;;) {
    const page = await load(query);
    yield* page.items;
    seen += page.items.length;
    const last = page.items.at(-1);
    if (!page.has_more || last === undefined) return;
    if (by === 'offset') query = { offset: seen };
    else query = { before_id: identifierOf(last, cursor) };
  }
}

function identifierOf(item: unknown, cursor: string): string {
  const found = cursor.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], item);
  if (typeof found === 'string') return found;
  throw new TypeError('This list has no identifiers to page by: iterate by offset.');
}
