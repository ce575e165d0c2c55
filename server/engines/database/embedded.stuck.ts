/**
 * Notices a server that runs but will never accept connections. After a crash on a full disk, PostgreSQL 18 rarely waits for
 * the process that replays its log, although that has ended.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const INTERVAL_MS = 2_000;
/** After a crash, none of these processes exists until all others have ended, which PostgreSQL forces after 5 s. */
const MAX_CHECKS_WITHOUT = 5;

function titleOf(pid: string, proc_dir: string): string {
  try {
    return readFileSync(join(proc_dir, pid, 'cmdline'), 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

/**
 * Whether a server has the process that replays its log or the one that writes it: every server that starts or runs has one.
 * True where processes cannot be read, as on macOS.
 * @param pid of the server's first process
 */
export function hasServerProcesses(pid: number, proc_dir = '/proc'): boolean {
  try {
    const children = readFileSync(join(proc_dir, `${pid}/task/${pid}/children`), 'utf8');
    return children
      .split(' ')
      .some((child) => child !== '' && /^postgres: (startup|walwriter)/.test(titleOf(child, proc_dir)));
  } catch {
    return true;
  }
}

type Watched = {
  hasServerProcesses(): boolean;
  /** Whether the server answers that it accepts no connections. */
  isRefusing(): Promise<boolean>;
  /** Called once. */
  onStuck(): void;
};

/** Watches a server until it is stuck. @returns a function that ends the watch */
export function watchForStuck(server: Watched): () => void {
  let checks_without = 0;
  let has_ended = false;
  const check = async (): Promise<void> => {
    checks_without = server.hasServerProcesses() ? 0 : checks_without + 1;
    // Asked once, and again only after as many further checks.
    if (checks_without < MAX_CHECKS_WITHOUT) return;
    checks_without = 0;
    if (!(await server.isRefusing()) || has_ended) return;
    end();
    server.onStuck();
  };
  const timer = setInterval(() => void check(), INTERVAL_MS).unref();
  const end = (): void => {
    has_ended = true;
    clearInterval(timer);
  };
  return end;
}
