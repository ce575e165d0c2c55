/**
 * The lock on a data folder: one process owns it, and the kernel releases it when that process dies. SQLite is used
 * only for its lock (`BEGIN EXCLUSIVE`, https://sqlite.org/lockingv3.html): unlike a file with a process id, it cannot
 * be stale, however the owner ended and whichever container it ran in.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A held lock; the system releases it as well when the process ends. */
export type FolderLock = { release(): void };

/** SQLite's result code for a lock that another process holds (https://sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/**
 * Acquires the lock of a data folder, creating the folder with mode 0700 if necessary.
 * @throws one clear sentence when another process holds it, or when the folder is not writable.
 */
export function lockDataFolder(data_dir: string): FolderLock {
  const owner_file = join(data_dir, 'owner.pid');
  let lock: DatabaseSync | undefined;
  try {
    // A recursive mkdir would apply its mode to every parent folder, and lock other accounts out of them.
    mkdirSync(dirname(data_dir), { recursive: true });
    mkdirSync(data_dir, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(data_dir, 'owner.lock'), { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    writeFileSync(owner_file, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock?.close();
    throw new Error(explainLockFailure(error, data_dir, owner_file), { cause: error });
  }
  const held = lock;
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(owner_file, { force: true });
      held.close();
    },
  };
}

function explainLockFailure(error: unknown, data_dir: string, owner_file: string): string {
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === SQLITE_BUSY) {
    return `The data folder ${data_dir} is in use by another Asterism${readOwner(owner_file)}: stop that one, or set DATA_DIR to another folder.`;
  }
  if (code === 'ENOSPC') return `The disk of the data folder ${data_dir} is full: free some space and start again.`;
  return `The data folder ${data_dir} cannot be written (${(error as Error).message}): change its rights, or set DATA_DIR to another folder.`;
}

function readOwner(owner_file: string): string {
  try {
    return ` (process ${readFileSync(owner_file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
