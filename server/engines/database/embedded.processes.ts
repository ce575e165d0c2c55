/** The processes of a PostgreSQL data folder, from `postmaster.pid` and the process table. */
import { readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The relevant lines of `postmaster.pid` (PostgreSQL source, `src/include/utils/pidfile.h`). */
export type PidFile = { pid: number; port: number; socket_dir: string; status: string };

/** Undefined when there is none, or when it is incomplete. */
export function readPidFile(cluster_dir: string): PidFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster_dir, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), socket_dir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
}

/** False for a zombie: it occupies only its process id until its parent reaps it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may itself contain parentheses and spaces: the state follows the last one (proc(5)).
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** Whether the process is a server of this folder: every server process has its data folder as working directory. */
export function isServerOf(pid: number, cluster_dir: string): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform === 'linux') return workingDirOf(pid) === cluster_dir;
  try {
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return false;
  }
}

/**
 * Removes a `postmaster.pid` that would prevent a start although no server runs: its process id belongs to a zombie or
 * meanwhile to another program (container restarts reuse small ids). PostgreSQL itself removes one whose process is
 * gone. The caller holds the folder's lock. Waits for orphans of a killed server, which still hold its shared memory.
 * @throws when they do not exit within `timeout_ms`.
 */
export async function clearStalePidFile(
  cluster_dir: string,
  socket_dir: string | undefined,
  timeout_ms: number,
): Promise<void> {
  // Only Linux shows a process's working directory: elsewhere PostgreSQL's check of its shared memory must do.
  if (process.platform !== 'linux') return;
  const deadline_ms = performance.now() + timeout_ms;
  while (serversIn(cluster_dir).length > 0) {
    if (performance.now() > deadline_ms) {
      throw new Error(
        `Processes of a dead PostgreSQL still work in ${cluster_dir} (${serversIn(cluster_dir).join(', ')}): end them and start again.`,
      );
    }
    await delay(20);
  }
  rmSync(join(cluster_dir, 'postmaster.pid'), { force: true });
  // The socket has a separate lock file, with the same process id.
  if (socket_dir) rmSync(join(socket_dir, '.s.PGSQL.5432.lock'), { force: true });
}

/** Resolves to whether the process exited within the time. */
export async function waitForEnd(pid: number, timeout_ms: number): Promise<boolean> {
  const deadline_ms = performance.now() + timeout_ms;
  while (isRunning(pid)) {
    if (performance.now() > deadline_ms) return false;
    await delay(10);
  }
  return true;
}

function serversIn(cluster_dir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && workingDirOf(pid) === cluster_dir && isRunning(pid));
}

/** Undefined for a process that is not PostgreSQL, or belongs to another account. */
function workingDirOf(pid: number): string | undefined {
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return undefined;
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
