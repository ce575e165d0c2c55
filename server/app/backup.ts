/** Backup and restore: a consistent snapshot of the database and all files, as one archive. */
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import pg from 'pg';
import type { Blobs } from '../engines/ports.ts';
import { migrateAt } from '../kernel/database/migrate.ts';
import { migrations_dir } from './app.ts';
import { ArchiveError, checkArchive, format_version, readArchive, writeArchive } from './archive.ts';
import type { Counts, Entry } from './archive.ts';

/** The stores to copy: the database and the files. */
export type Stores = { database_url: string; blobs: Blobs };

const batch_rows = 500;
const part_bytes = 256 * 1024;
/**
 * Excluded tables: events are for connected receivers, changes of labels for running nodes, and positions are never backed
 * up; the other two belong to the migrator.
 */
const left_out = ['events', 'label_changes', 'locations', 'kysely_migration', 'kysely_migration_lock'];

/**
 * Writes everything into `file`: all rows of one snapshot, queued jobs, then all files.
 *
 * Queued jobs are included, because deferred work (such as a number that changes its owner after a hold) is stored
 * nowhere else. Their payloads are not in a public view of the queue, so that its table is read; jobs may run twice by
 * contract, so that a running one counts as queued. The service key is not part of the archive: it is backed up
 * separately.
 * @param now the service's time, for the header
 * @throws when the file exists already
 */
export async function backUp(stores: Stores, file: string, now: Date): Promise<Counts> {
  if (existsSync(file)) throw new ArchiveError(`${file} exists already: choose another name.`);
  const counts: Counts = { rows: 0, jobs: 0, files: 0, bytes: 0 };
  await withClient(stores.database_url, (client) => writeArchive(file, collect(client, stores.blobs, counts, now)));
  return counts;
}

async function* collect(client: pg.Client, blobs: Blobs, counts: Counts, now: Date): AsyncGenerator<Entry> {
  await client.query('begin isolation level repeatable read read only');
  const migrations = await selectMigrations(client);
  yield { kind: 'asterism', version: format_version, migrations, at: now.toISOString() };
  for (const table of await selectTables(client)) {
    const from = `select to_jsonb(t)::text as text from public.${pg.escapeIdentifier(table)} t`;
    for await (const rows of fetchAll(client, from)) {
      counts.rows += rows.length;
      yield { kind: 'rows', table, count: rows.length, text: `[${rows.join(',')}]` };
    }
  }
  for await (const jobs of fetchAll(client, waiting_jobs)) {
    counts.jobs += jobs.length;
    yield { kind: 'jobs', count: jobs.length, text: `[${jobs.join(',')}]` };
  }
  await client.query('commit');
  for await (const key of blobs.list('')) {
    // A file that was deleted after it was listed is not needed.
    const found = await blobs.get(key);
    if (!found) continue;
    counts.files += 1;
    yield { kind: 'file', key, size_bytes: found.size_bytes };
    for await (const chunk of found.body as AsyncIterable<Buffer>) {
      counts.bytes += chunk.length;
      for (let from = 0; from < chunk.length; from += part_bytes)
        yield { kind: 'part', base64: chunk.subarray(from, from + part_bytes).toString('base64') };
    }
  }
  yield { kind: 'end', ...counts };
}

const waiting_jobs = `
  select json_build_object('name', t.identifier, 'payload', j.payload, 'queue', q.queue_name, 'run_at', j.run_at,
    'max_attempts', j.max_attempts, 'key', j.key, 'priority', j.priority)::jsonb::text as text
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts order by j.id`;

async function* fetchAll(client: pg.Client, statement: string): AsyncGenerator<string[]> {
  await client.query(`declare reading no scroll cursor for ${statement}`);
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`fetch ${batch_rows} from reading`);
    if (rows.length === 0) break;
    yield rows.map(({ text }) => text);
  }
  await client.query('close reading');
}

/**
 * Restores an archive into an empty database and empty storage. The archive is verified completely before anything is
 * changed, and the database changes in one transaction. Realtime positions from before are rejected afterwards, since
 * the outbox has a new epoch and starts empty.
 * @param options.force deletes what the database and the storage contain
 * @throws ArchiveError in one sentence: incomplete, another schema version, not empty
 */
export async function restore(stores: Stores, file: string, options: { force: boolean }): Promise<Counts> {
  const { header, counts } = await checkArchive(file);
  await migrateAt(stores.database_url, migrations_dir);
  await withClient(stores.database_url, async (client) => {
    const known = await selectMigrations(client);
    if (known.join() !== header.migrations.join())
      throw new ArchiveError(
        `The archive is of migration ${header.migrations.at(-1)}, this release of ${known.at(-1)}: restore with the release that made it, then update.`,
      );
    if (!options.force) await requireEmpty(client, stores.blobs);
    await client.query('begin');
    try {
      const kept = await fill(client, stores.blobs, file);
      await client.query('commit');
      await removeOthers(stores.blobs, kept);
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });
  return counts;
}

/** @throws ArchiveError while a service is connected to the database */
export async function requireNoService(database_url: string): Promise<void> {
  await withClient(database_url, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name like 'asterism%'`,
    );
    if (rowCount) throw new ArchiveError('A service is running on this database: stop it first.');
  });
}

async function requireEmpty(client: pg.Client, blobs: Blobs): Promise<void> {
  for (const table of await selectTables(client)) {
    if (table === 'service') continue;
    const { rowCount } = await client.query(`select 1 from public.${pg.escapeIdentifier(table)} limit 1`);
    if (rowCount) throw new ArchiveError(`The database is not empty (${table}): restore elsewhere, or use --force.`);
  }
  for await (const key of blobs.list(''))
    throw new ArchiveError(`There are files already (${key}): restore elsewhere, or use --force.`);
}

/** Empties the tables and fills them and the storage from the archive. @returns the keys of its files */
async function fill(client: pg.Client, blobs: Blobs, file: string): Promise<Set<string>> {
  const tables = await selectTables(client);
  const names = [...tables, 'events'].map((table) => `public.${pg.escapeIdentifier(table)}`);
  const putBack = await dropForeignKeys(client);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(', ')} restart identity`);
  await client.query('delete from graphile_worker._private_jobs');
  const keys = new Set<string>();
  const entries = readArchive(file);
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const entry = next.value;
    if (entry.kind === 'rows') await insertRows(client, tables, entry.table, entry.text);
    else if (entry.kind === 'jobs') await client.query(insert_jobs, [entry.text]);
    else if (entry.kind === 'file') {
      keys.add(entry.key);
      const body = Readable.from(partsOf(entries, entry.size_bytes));
      await blobs.put(entry.key, body, { content_type: 'application/octet-stream' });
    }
  }
  await client.query(`update service set forgotten_xid = '0', forgotten_position = 0,
    epoch = substr(md5(random()::text || clock_timestamp()::text), 1, 6)`);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  await putBack();
  await advanceSequences(client);
  return keys;
}

const insert_jobs = `
  select graphile_worker.add_job(j->>'name', (j->'payload')::json, queue_name => j->>'queue',
    run_at => (j->>'run_at')::timestamptz, max_attempts => (j->>'max_attempts')::int, job_key => j->>'key',
    priority => (j->>'priority')::int)
  from jsonb_array_elements($1::jsonb) j`;

async function insertRows(client: pg.Client, tables: string[], table: string, text: string): Promise<void> {
  if (!tables.includes(table)) throw new ArchiveError(`The archive has a table that is not known here: ${table}.`);
  const name = `public.${pg.escapeIdentifier(table)}`;
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [name],
  );
  const columns = rows.map(({ column }) => column).join(', ');
  await client.query(
    `insert into ${name} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [text],
  );
}

/** The bytes of the file whose entry was just read. Reads no entry beyond the file. */
async function* partsOf(entries: AsyncGenerator<Entry>, size_bytes: number): AsyncGenerator<Buffer> {
  for (let left = size_bytes; left > 0;) {
    const { value } = await entries.next();
    if (value?.kind !== 'part') throw new ArchiveError('A file of the archive is shorter than it says.');
    const bytes = Buffer.from(value.base64, 'base64');
    left -= bytes.length;
    yield bytes;
  }
}

/**
 * Drops all foreign keys, so that rows can be inserted in any order.
 * @returns a function that restores and thereby checks them
 */
async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of rows)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}

/** Sets every sequence to the maximum of its column. */
async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column,
       pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
  );
  for (const { table, column, sequence } of rows)
    await client.query(`select setval($1, coalesce(max(${column}), 0) + 1, false) from ${table}`, [sequence]);
}

async function removeOthers(blobs: Blobs, kept: Set<string>): Promise<void> {
  const others: string[] = [];
  for await (const key of blobs.list('')) if (!kept.has(key)) others.push(key);
  for (const key of others) await blobs.remove(key);
}

async function selectTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all($1) order by 1`,
    [left_out],
  );
  return rows.map(({ name }) => name);
}

async function selectMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from public.kysely_migration order by name');
  return rows.map(({ name }) => name);
}

async function withClient<T>(database_url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database_url, application_name: 'backup' });
  // A connection that breaks emits an error event too, which would end the process without a listener.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
