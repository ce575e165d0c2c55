/** The cluster of the embedded server: PostgreSQL's data folder, its system user, and the binaries that it runs with. */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { canReach, locateCluster, SHARED_DIR, type ClusterLocation } from './embedded.account.ts';
import { USER } from './embedded.address.ts';
import { copyBinaries, type Binaries } from './embedded.binaries.ts';

const LOG_BYTES = 5_000_000;

/** The data folder of a server (PostgreSQL calls it a cluster), with the programs and the user that run on it. */
export type Cluster = ClusterLocation & { binaries: Binaries; log_file: string; log(line: string): void };

/** Chooses the user and the folder of the server, with binaries that the user can read; rotates a long log. */
export function prepareCluster(data_dir: string, found: Binaries, log: (line: string) => void): Cluster {
  const placement = locateCluster(data_dir);
  if (placement.notice) log(placement.notice);
  const { account } = placement;
  let binaries = found;
  if (account && !canReach(dirname(realpathSync(found.postgres)), account)) {
    binaries = copyBinaries(found, SHARED_DIR);
    log(`The account ${account.name} runs a copy of PostgreSQL in ${binaries.native_dir}.`);
  }
  const log_file = join(data_dir, 'postgres.log');
  if (existsSync(log_file) && statSync(log_file).size > LOG_BYTES) renameSync(log_file, `${log_file}.old`);
  return { ...placement, binaries, log_file, log };
}

/**
 * Creates the cluster in a temporary folder and moves it when it is complete, so that a failed attempt leaves nothing.
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { account, cluster_dir, binaries, log } = cluster;
  log('Creating the embedded database (once).');
  const unfinished = `${cluster_dir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (account) chownSync(unfinished, account.uid, account.gid);
  const flags = ['-U', USER, '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8', '--locale=C'];
  // Sorts by code point as C does, but knows upper and lower case of all letters.
  flags.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  try {
    await promisify(execFile)(binaries.initdb, ['-D', unfinished, ...flags], processOptions(account));
    renameSync(unfinished, cluster_dir);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** @throws one clear sentence when another major version of PostgreSQL created the cluster */
export function refuseOtherVersion({ cluster_dir, binaries }: Cluster): void {
  const made_by = readFileSync(join(cluster_dir, 'PG_VERSION'), 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (made_by === ours) return;
  throw new Error(
    `The database in ${cluster_dir} was made by PostgreSQL ${made_by} and this release brings ${ours}: back up with the release that made it, then restore here.`,
  );
}

/** The environment of this process, which contains secrets, is not passed to the server. */
export function processOptions(account: { uid: number; gid: number } | undefined) {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...(account && { uid: account.uid, gid: account.gid }) };
}
