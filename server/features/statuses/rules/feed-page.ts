/**
 * A page of the feed: the database selects its statuses and their versions, and the parts that are the same for every
 * reader are cached as JSON text in the node.
 */
import type { LabelledRow } from '../../../domain/accounts/account-labels.ts';
import { labelChangesOf, oldest_running, type LabelChanges } from '../../../domain/accounts/label-changes.ts';
import {
  from_statuses,
  personalStatusColumns,
  presentStatus,
  toStatusRow,
  wideStatusColumns,
  type WideStatusRow,
} from '../../../domain/social/statuses.ts';
import { isActive } from '../../../domain/visibility/people.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { JsonText } from '../../../kernel/endpoint.ts';
import { createRowCache } from '../../../kernel/row-cache.ts';
import { default_limit, toPage, type Page } from '../../../kernel/page.ts';
import { selectFeed } from './feed.ts';

/**
 * A row of a page: which version of a status is visible, and the reader-specific parts. The version is the transaction that
 * last wrote the status; that its author and tag are as cached is known by `label_changes`.
 */
type FeedRow = { version: string } & LabelledRow & Pick<WideStatusRow, 'id' | 'liked' | 'reply_count'>;

const feedColumns = (viewer: Viewer, labels: LabelChanges) => ({
  of_status: sql`s.id, s.xmin as version, ${personalStatusColumns(viewer)}, ${labels.column}`,
});

/**
 * The JSON text of a status, split where the reader-specific parts are inserted, its version, and when it was read.
 * `is_shown`: neither its author nor its tag keeps it from readers.
 */
type StatusText = {
  version: string;
  read_at: bigint;
  subjects: readonly (string | null)[];
  is_shown: boolean;
  before: string;
  between: string;
  after: string;
};

/** The cache size in characters; each entry has an overhead of some three hundred. */
const max_characters = 8_000_000;
const texts = createRowCache<StatusText>(
  max_characters,
  ({ version, before, after }) => version.length + before.length + after.length + 300,
);

/** Readers whose last page had many uncached statuses: their pages are read without the cache. */
const whole_readers = createRowCache<true>(10_000);
const many = 10;

/** A reader's page in wire format. */
export async function readFeed(db: Queryable, page: Page, viewer: Viewer): Promise<JsonText> {
  const size = page.limit ?? default_limit;
  if (whole_readers.get(viewer.services, viewer.id)) return readWhole(db, page, viewer);
  const labels = await labelChangesOf(viewer.services, db);
  const rows = await selectFeed<FeedRow>(db, page, viewer, feedColumns(viewer, labels));
  if (rows[0]?.have_labels_changed) await labels.read();
  // One row more than the page: it must be visible as well, since it tells that there are more.
  const items = await writeRows(db, rows, viewer, labels);
  if (!items) return readWhole(db, page, viewer);
  return new JsonText(`{"items":[${items.slice(0, size).join()}],"has_more":${rows.length > size}}`);
}

/** A reader's page in wire format, by one statement and without the cache. */
async function readWhole(db: Queryable, page: Page, viewer: Viewer): Promise<JsonText> {
  const rows = await selectFeed<WideStatusRow>(db, page, viewer, { of_all: wideStatusColumns(viewer) });
  if (rows.filter(({ media }) => media.length > 0).length < many) whole_readers.delete(viewer.services, viewer.id);
  return new JsonText(JSON.stringify(toPage(rows, page, (row) => presentStatus(toStatusRow(row), viewer))));
}

/**
 * The statuses of a page; undefined when one of them is not shown, or has changed since its visibility was checked.
 */
async function writeRows(
  db: Queryable,
  rows: FeedRow[],
  viewer: Viewer,
  labels: LabelChanges,
): Promise<string[] | undefined> {
  const kept = rows.map((row) => {
    const text = texts.get(viewer.services, row.id);
    return text?.version === row.version && labels.areCurrent(text.read_at, text.subjects) ? text : undefined;
  });
  const missing = rows.filter((_, at) => !kept[at]);
  const read = missing.length > 0 ? await readTexts(db, missing, viewer) : undefined;
  const items: string[] = [];
  for (const [at, { id, version, liked, reply_count }] of rows.entries()) {
    const text = kept[at] ?? read?.get(id);
    if (!text?.is_shown || text.version !== version) return undefined;
    items.push(`${text.before}${reply_count}${text.between}${liked}${text.after}`);
  }
  return items;
}

/**
 * Reads uncached statuses and caches them. File addresses are reader-specific: statuses with files are read each time.
 */
async function readTexts(db: Queryable, wanted: FeedRow[], viewer: Viewer): Promise<Map<string, StatusText>> {
  type Found = WideStatusRow & Pick<StatusText, 'version' | 'is_shown'> & { read_at: string };
  const found = await db.many<Found>(sql`
    select ${wideStatusColumns(viewer)}, s.xmin as version, ${oldest_running} as read_at,
      t.deleted_at is null and t.hidden_at is null and ${isActive()} as is_shown
    from ${from_statuses} where s.id = any(${wanted.map(({ id }) => id)}::text[])`);
  const read = new Map<string, StatusText>();
  for (const { version, read_at, is_shown, ...row } of found) {
    const parts = cut(presentStatus(toStatusRow(row), viewer));
    const text = { version, read_at: BigInt(read_at), subjects: [row.author_id, row.tag_id], is_shown, ...parts };
    read.set(row.id, text);
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
