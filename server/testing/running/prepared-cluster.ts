/**
 * The migrated database that the service of each test starts with: creating one takes three times as long as starting
 * on it, so it is created once for a set of migrations and copied.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrations_dir } from '../../app/app.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.cache', 'test-clusters');
const run = promisify(execFile);

/** The name of a cluster: a hash of the migrations, and of the server's version, which is in the lock file. */
function nameCluster(): string {
  const hash = createHash('sha256').update(String(process.getuid?.()));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const name of readdirSync(migrations_dir).toSorted())
    hash.update(name).update(readFileSync(join(migrations_dir, name)));
  return hash.digest('hex').slice(0, 16);
}

let cluster_name: string | undefined;

/**
 * Copies the cluster into a new data folder. Where the account of the database cannot reach that folder, the service
 * creates its own elsewhere.
 * @param create starts and ends a service in a separate folder, and returns the folder
 */
export async function copyCluster(data_dir: string, create: () => Promise<string>): Promise<void> {
  const prepared = join(folder, (cluster_name ??= nameCluster()));
  if (!existsSync(prepared)) await prepare(prepared, await create());
  // Owners and modes are preserved: the server rejects a folder of another user.
  if (existsSync(prepared)) await run('cp', ['-a', prepared, join(data_dir, 'postgres')]);
}

async function prepare(prepared: string, created_dir: string): Promise<void> {
  const cluster = join(created_dir, 'postgres');
  if (existsSync(cluster)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${prepared}.${process.pid}`;
    await run('cp', ['-a', cluster, unfinished]);
    try {
      renameSync(unfinished, prepared);
    } catch {
      // Another worker was faster.
      rmSync(unfinished, { recursive: true, force: true });
    }
    const isOld = (name: string) => !name.includes('.') && join(folder, name) !== prepared;
    for (const name of readdirSync(folder).filter(isOld)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  rmSync(created_dir, { recursive: true, force: true });
}
