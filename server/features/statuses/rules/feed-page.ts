/**
 * A page of the feed: the database selects its statuses and their versions, and the parts that are the same for every
 * reader are cached as JSON text in the node.
 */
import {
  from_statuses,
  personalStatusColumns,
  presentStatus,
  toStatusRow,
  wideStatusColumns,
  type WideStatusRow,
} from '../../../domain/social/statuses.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { JsonText } from '../../../kernel/endpoint.ts';
import { createRowCache } from '../../../kernel/row-cache.ts';
import { default_limit, toPage, type Page } from '../../../kernel/page.ts';
import { selectFeed } from './feed.ts';

/**
 * A status and its version: the transactions that last wrote its row and its author's, and the labels of its tag, whose
 * row is written at each status and follow. While these are the same, so is everything that all readers see of it.
 */
const versionColumn = sql`concat_ws(' ', s.id, s.xmin, u.xmin, t.id, t.name, t.title) as version`;

/** An entry of a page: which version of a status is visible, and the reader-specific parts. */
type FeedRow = { version: string } & Pick<WideStatusRow, 'liked' | 'reply_count'>;

const feedColumns = (viewer: Viewer): Sql => sql`${versionColumn}, ${personalStatusColumns(viewer)}`;

const idOf = ({ version }: FeedRow): string => version.slice(0, version.indexOf(' '));

/** The JSON text of a status, split where the reader-specific parts are inserted, and its version. */
type StatusText = { version: string; before: string; between: string; after: string };

/** The cache size in characters; each entry has an overhead of some two hundred. */
const max_characters = 8_000_000;
const texts = createRowCache<StatusText>(
  max_characters,
  ({ version, before, after }) => version.length + before.length + after.length + 200,
);

/** Readers whose last page had many uncached statuses: their pages are read without the cache. */
const whole_readers = createRowCache<true>(10_000);
const many = 10;

/** A status may change between the two statements of a page: the maximum of retries. */
const tries = 2;

/** A reader's page in wire format. */
export async function readFeed(db: Queryable, page: Page, viewer: Viewer): Promise<JsonText> {
  const size = page.limit ?? default_limit;
  if (whole_readers.get(viewer.services, viewer.id)) return readWhole(db, page, viewer);
  for (let tried = 0; tried < tries; tried++) {
    const rows = await selectFeed<FeedRow>(db, page, viewer, feedColumns(viewer));
    const items = await writeRows(db, rows.slice(0, size), viewer);
    if (items) return new JsonText(`{"items":[${items.join()}],"has_more":${rows.length > size}}`);
  }
  return readWhole(db, page, viewer);
}

/** A reader's page in wire format, by one statement and without the cache. */
async function readWhole(db: Queryable, page: Page, viewer: Viewer): Promise<JsonText> {
  const rows = await selectFeed<WideStatusRow>(db, page, viewer, wideStatusColumns(viewer));
  if (rows.filter(({ media }) => media.length > 0).length < many) whole_readers.delete(viewer.services, viewer.id);
  return new JsonText(JSON.stringify(toPage(rows, page, (row) => presentStatus(toStatusRow(row), viewer))));
}

/** The statuses of a page; undefined when one of them has changed since its visibility was checked. */
async function writeRows(db: Queryable, rows: FeedRow[], viewer: Viewer): Promise<string[] | undefined> {
  const { services } = viewer;
  const kept = rows.map((row) => {
    const text = texts.get(services, idOf(row));
    return text?.version === row.version ? text : undefined;
  });
  const missing = rows.filter((_, at) => !kept[at]);
  const read = missing.length > 0 ? await readTexts(db, missing, viewer) : undefined;
  const items: string[] = [];
  for (const [at, row] of rows.entries()) {
    const text = kept[at] ?? read?.get(row.version);
    if (!text) return undefined;
    items.push(`${text.before}${row.reply_count}${text.between}${row.liked}${text.after}`);
  }
  return items;
}

/**
 * Reads uncached statuses, in the version whose visibility was checked, and caches them. File addresses are
 * reader-specific: statuses with files are read each time.
 */
async function readTexts(db: Queryable, wanted: FeedRow[], viewer: Viewer): Promise<Map<string, StatusText>> {
  const found = await db.many<WideStatusRow & { version: string }>(sql`
    select ${wideStatusColumns(viewer)}, ${versionColumn} from ${from_statuses} where s.id = any(${wanted.map(idOf)}::text[])`);
  const read = new Map<string, StatusText>();
  for (const { version, ...row } of found) {
    const text = { version, ...cut(presentStatus(toStatusRow(row), viewer)) };
    read.set(version, text);
    if (row.media.length === 0) texts.set(viewer.services, row.id, text);
  }
  if (found.filter(({ media }) => media.length > 0).length >= many) whole_readers.set(viewer.services, viewer.id, true);
  return read;
}

/** The JSON text of a status around its reply count and whether it is liked. */
function cut(shown: object): Pick<StatusText, 'before' | 'between' | 'after'> {
  const members = Object.entries(shown).map(([name, value]) => [
    name,
    `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  ]);
  const places = ['reply_count', 'liked'].map((wanted) => members.findIndex(([name]) => name === wanted));
  const [replies = 0, liked = 0] = places;
  const textOf = (from: number, to?: number) =>
    members
      .slice(from, to)
      .map(([, text]) => text)
      .join();
  return {
    before: `{${textOf(0, replies)},"reply_count":`,
    between: `,${textOf(replies + 1, liked)},"liked":`,
    after: `,${textOf(liked + 1)}}`,
  };
}
