/** The process of the embedded server: adopted or launched, and stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { canReach } from './embedded.account.ts';
import { PORT } from './embedded.address.ts';
import { clearStalePidFile, isRunning, isServerOf, readPidFile, waitForEnd } from './embedded.processes.ts';
import { acceptsConnections } from './embedded.query.ts';
import { type Cluster, processOptions } from './embedded.cluster.ts';

/** Unix socket addresses have at most 107 bytes on Linux and 103 on macOS (unix(7)), including the file name. */
const SOCKET_DIR_BYTES = 103 - '/.s.PGSQL.5432'.length;
/** Crash recovery after a long run replays at most `max_wal_size`; on a slow disk that takes minutes, not more. */
const START_TIMEOUT_MS = 300_000;
export const STOP_TIMEOUT_MS = 30_000;

/** Settings for a small machine; durability is not reduced. */
const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  // A node uses up to 20; those of one that was killed remain for a moment, while the next ones start.
  max_connections: '100',
  // An eighth of the machine's memory, within bounds; unused memory is not allocated.
  shared_buffers: `${Math.round(Math.min(512, Math.max(64, totalmem() / 2 ** 23)))}MB`,
  // Whoever waits in a deadlock holds a connection until it is noticed.
  deadlock_timeout: '200ms',
  fsync: 'on',
  wal_compression: 'on',
  max_wal_size: '256MB',
  jit: 'off',
  // Parallel queries need more /dev/shm than the 64 MB that containers have, and gain nothing on two cores.
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Error texts can contain user data, so that they only go to the service, which redacts them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** A launched or adopted server. */
export type RunningServer = { pid: number; socket_dir: string; child?: ChildProcess };

/** Adopts a server that is running here already. Undefined when there is none, or when it had to be stopped. */
export async function adopt(cluster: Cluster): Promise<RunningServer | undefined> {
  const { cluster_dir, log } = cluster;
  const file = readPidFile(cluster_dir);
  if (!file) return undefined;
  if (!isServerOf(file.pid, cluster_dir)) {
    await clearStalePidFile(cluster_dir, file.socket_dir, STOP_TIMEOUT_MS);
    return undefined;
  }
  const socket_dir = await waitUntilReady(cluster_dir, () => !isRunning(file.pid));
  if (socket_dir !== undefined && (await acceptsConnections(socket_dir))) {
    log(`Adopted the database server that was left running (process ${file.pid}).`);
    return { pid: file.pid, socket_dir };
  }
  log(`Stopping a running database server that does not respond (process ${file.pid}).`);
  await stopServer(file.pid);
  await clearStalePidFile(cluster_dir, file.socket_dir, STOP_TIMEOUT_MS);
  return undefined;
}

/** Starts a server. @throws the end of its log when it does not accept connections in time */
export async function launch(cluster: Cluster, wanted_socket_dir?: string): Promise<RunningServer> {
  const { account, cluster_dir, binaries, log_file } = cluster;
  const socket_dir = wanted_socket_dir ?? chooseSocketDir(cluster);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log_start = existsSync(log_file) ? statSync(log_file).size : 0;
  const log_descriptor = openSync(log_file, 'a', 0o600);
  const child = spawn(binaries.postgres, ['-D', cluster_dir, '-k', socket_dir, ...settings], {
    ...processOptions(account),
    // In a separate session: Ctrl-C in the terminal reaches only the service, which stops the server after draining.
    detached: true,
    stdio: ['ignore', log_descriptor, log_descriptor],
  });
  closeSync(log_descriptor);
  let spawn_error: Error | undefined;
  child.once('error', (error) => (spawn_error = error));
  const ended = () => spawn_error !== undefined || child.exitCode !== null || child.signalCode !== null;
  const ready_dir = await waitUntilReady(cluster_dir, ended, child.pid);
  if (ready_dir !== undefined && child.pid !== undefined) return { pid: child.pid, socket_dir, child };
  if (spawn_error) throw spawn_error;
  if (!ended()) child.kill('SIGQUIT');
  throw new Error(`The database server did not start: ${lastLines(log_file, log_start)}`);
}

/** Resolves to the socket's folder when the server accepts connections; undefined when it exited or timed out. */
async function waitUntilReady(cluster_dir: string, ended: () => boolean, pid?: number): Promise<string | undefined> {
  const deadline_ms = performance.now() + START_TIMEOUT_MS;
  while (!ended() && performance.now() < deadline_ms) {
    const file = readPidFile(cluster_dir);
    if (file?.status === 'ready' && (pid === undefined || file.pid === pid)) return file.socket_dir;
    await delay(5);
  }
  return undefined;
}

/** The data folder itself if its path is short enough, else a private temporary folder. */
function chooseSocketDir({ account, cluster_dir }: Cluster): string {
  if (Buffer.byteLength(cluster_dir) <= SOCKET_DIR_BYTES) return cluster_dir;
  const own = realpathSync(tmpdir());
  const reachable = !account || canReach(own, account);
  const parent = reachable && Buffer.byteLength(own) <= SOCKET_DIR_BYTES - 20 ? own : '/tmp';
  const dir = mkdtempSync(join(parent, 'asterism-'));
  if (account) chownSync(dir, account.uid, account.gid);
  return dir;
}

/**
 * Fast shutdown (SIGINT to the postmaster); immediate shutdown (SIGQUIT) when that takes too long: neither loses data.
 */
export async function stopServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await waitForEnd(pid, STOP_TIMEOUT_MS)) return;
  }
}

/** What the server has written last. @param from the length of the log before, in bytes */
function lastLines(log_file: string, from: number): string {
  const lines = readFileSync(log_file).subarray(from).toString('utf8').trim().split('\n');
  return `${lines.slice(-3).join(' ')} (see ${log_file})`;
}
