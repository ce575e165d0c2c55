/**
 * Whether cached labels of accounts and tags are current: names, avatars, and whether an account is active and a tag shown.
 * The database notes each change of one (`label_changes`); a statement that relies on cached labels returns whether there
 * was any since the node last read them. So a node need not read labels again, and no change has to reach it in time.
 *
 * Changes are ordered by their transactions, as the outbox is (docs/decisions/0003-outbox-order.md): a snapshot contains
 * every change of a transaction before the oldest one that was running, and may lack any other.
 */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import type { Services } from '../../kernel/services.ts';

/** The oldest transaction that was running at a statement's snapshot, as text. */
export const oldest_running = sql`pg_snapshot_xmin(pg_current_snapshot())::text`;

/** The row that the deletion of old changes writes: a node that did not read them must not trust what it has cached. */
const deletion = '*';

/** With more changes than this at once a node forgets its labels, and remembers none of the changes. */
const max_changes = 1000;
/** The number of accounts and tags that a node remembers as changed. */
const max_changed = 10_000;

/**
 * What a node knows: labels read before `from` are not known to be current, all changes of transactions before `upto`
 * are in `changed`, the last transaction that changed each account or tag.
 */
type Known = { from: bigint; upto: bigint; changed: Map<string, bigint> };

const known_of = new WeakMap<Services, Known>();

/** Tells whether cached labels are current. */
export type LabelChanges = {
  /** A column of the statement that relies on cached labels: whether any label has changed since the known changes. */
  column: Sql;
  /** Reads the changes after the known ones. */
  read(): Promise<void>;
  /** Whether labels of some accounts and tags are current that were read when `read_at` was the oldest running transaction. */
  areCurrent(read_at: bigint, subjects: readonly (string | null)[]): boolean;
};

/** The changes of labels that this node knows of. Its first call asks the database from where on they count. */
export async function labelChangesOf(services: Services, db: Queryable): Promise<LabelChanges> {
  const known = known_of.get(services) ?? (await start(services, db));
  return {
    column: sql`exists (select 1 from label_changes where xid >= ${String(known.upto)}::xid8) as have_labels_changed`,
    read: () => readChanges(services, known, db),
    areCurrent: (read_at, subjects) =>
      read_at >= known.from &&
      (known.changed.size === 0 || subjects.every((id) => id === null || (known.changed.get(id) ?? -1n) < read_at)),
  };
}

async function start(services: Services, db: Queryable): Promise<Known> {
  const { upto } = await db.one<{ upto: string }>(sql`select ${oldest_running} as upto`);
  const known = { from: BigInt(upto), upto: BigInt(upto), changed: new Map<string, bigint>() };
  known_of.set(services, known);
  return known;
}

async function readChanges(services: Services, known: Known, db: Queryable): Promise<void> {
  const { upto, changes } = await db.one<{ upto: string; changes: [id: string, xid: string][] }>(sql`
    select ${oldest_running} as upto, (
      select coalesce(json_agg(json_build_array(c.subject_id, c.xid::text)), '[]') from (
        select subject_id, xid from label_changes where xid >= ${String(known.upto)}::xid8
        order by label_changes.xid limit ${max_changes + 1}::int) c) as changes`);
  for (const [id, xid] of changes) {
    const changed_at = BigInt(xid);
    if ((known.changed.get(id) ?? -1n) < changed_at) known.changed.set(id, changed_at);
  }
  if (changes.length > max_changes || known.changed.size > max_changed || changes.some(([id]) => id === deletion)) {
    // Requests that use these changes no longer rely on cached labels; the next request reads the changes again.
    known.from = BigInt(upto) + 1n;
    if (known_of.get(services) === known) known_of.delete(services);
  }
  if (BigInt(upto) > known.upto) known.upto = BigInt(upto);
}

/**
 * Deletes the changes from before a time, at most `portion`, and notes that they are missing.
 * @returns whether there may be more
 */
export async function deleteOldLabelChanges(db: Queryable, before: Date, portion: number): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(sql`
    with gone as (
      delete from label_changes where subject_id = any(array(
        select subject_id from label_changes where at < ${before} and subject_id <> ${deletion}
        order by at limit ${portion}::int for update skip locked)::text[])
      returning 1),
    noted as (
      update label_changes set xid = pg_current_xact_id() where subject_id = ${deletion} and exists (select 1 from gone))
    select count(*)::int as count from gone`);
  return count >= portion;
}
