/**
 * The migrated database that each test's service starts with: making one takes three times as long as starting on it, so
 * that it is made once for a set of migrations and copied.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrations_dir } from '../app/app.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.cache', 'test-clusters');
const run = promisify(execFile);

/** What a cluster is made of: migrations, and the server's version, which the lock file names. */
function nameCluster(): string {
  const hash = createHash('sha256').update(String(process.getuid?.()));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const name of readdirSync(migrations_dir).toSorted())
    hash.update(name).update(readFileSync(join(migrations_dir, name)));
  return hash.digest('hex').slice(0, 16);
}

let cluster_name: string | undefined;

/**
 * Puts a copy of the cluster into a fresh data folder. Where the account of the database cannot reach that folder, the
 * service makes its own elsewhere.
 * @param make starts and ends a service in a folder of its own, and tells the folder
 */
export async function copyCluster(data_dir: string, make: () => Promise<string>): Promise<void> {
  const prepared = join(folder, (cluster_name ??= nameCluster()));
  if (!existsSync(prepared)) await prepare(prepared, await make());
  // Owners and modes stay: the server refuses a folder of somebody else.
  if (existsSync(prepared)) await run('cp', ['-a', prepared, join(data_dir, 'postgres')]);
}

async function prepare(prepared: string, made: string): Promise<void> {
  const cluster = join(made, 'postgres');
  if (existsSync(cluster)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${prepared}.${process.pid}`;
    await run('cp', ['-a', cluster, unfinished]);
    try {
      renameSync(unfinished, prepared);
    } catch {
      // Another worker was quicker.
      rmSync(unfinished, { recursive: true, force: true });
    }
    const isOld = (name: string) => !name.includes('.') && join(folder, name) !== prepared;
    for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  rmSync(made, { recursive: true, force: true });
}
