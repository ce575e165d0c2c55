/** The labels of authors and owners, which the node caches: a statement selects their identifiers, and joins no accounts. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { createRowCache } from '../../kernel/row-cache.ts';
import type { Services } from '../../kernel/services.ts';
import type { PublicUserRow } from './accounts.ts';
import { labelChangesOf, oldest_running } from './label-changes.ts';

/** The labels of an account, and whether a suspension hides it. */
export type AccountLabel = PublicUserRow & { is_suspended: boolean };

type CachedLabel = { label: AccountLabel; read_at: bigint };

/** The accounts whose labels a node caches. */
const max_accounts = 20_000;
const cached = createRowCache<CachedLabel>(max_accounts);

/** A row with the column that tells whether cached labels are current. */
export type LabelledRow = { have_labels_changed: boolean };

/**
 * Selects rows, and the labels of the accounts that they name.
 * @param select runs a statement that includes the given column
 * @param accountOf the account that a row names
 */
export async function selectWithLabels<Row extends LabelledRow>(
  db: Queryable,
  services: Services,
  select: (column: Sql) => Promise<Row[]>,
  accountOf: (row: Row) => string,
): Promise<{ rows: Row[]; labels: Map<string, AccountLabel> }> {
  const changes = await labelChangesOf(services, db);
  const rows = await select(changes.column);
  if (rows[0]?.have_labels_changed) await changes.read();
  const labels = new Map<string, AccountLabel>();
  const missing = new Set<string>();
  for (const row of rows) {
    const id = accountOf(row);
    if (labels.has(id) || missing.has(id)) continue;
    const known = cached.get(services, id);
    if (known && changes.areCurrent(known.read_at, [id])) labels.set(id, known.label);
    else missing.add(id);
  }
  if (missing.size > 0)
    for (const [id, known] of await readLabels(db, [...missing])) {
      cached.set(services, id, known);
      labels.set(id, known.label);
    }
  return { rows, labels };
}

async function readLabels(db: Queryable, ids: string[]): Promise<[id: string, CachedLabel][]> {
  const rows = await db.many<AccountLabel & { read_at: string }>(sql`
    select id, username, display_name, avatar_key, suspended_at is not null as is_suspended, ${oldest_running} as read_at
    from users where id = any(${ids}::text[])`);
  return rows.map(({ read_at, ...label }) => [label.id, { label, read_at: BigInt(read_at) }]);
}
