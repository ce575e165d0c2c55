/**
 * The system account that the embedded server runs as, and the location of its data. PostgreSQL refuses to run as root;
 * an ordinary user runs it as themself.
 */
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A system account; `uid` and `gid` as in passwd(5). */
export type Account = { name: string; uid: number; gid: number };

/** The system user of the embedded server, and the folder of its data. */
export type ClusterLocation = {
  /** Undefined when the server runs as the user of this process. */
  account: Account | undefined;
  /** The server's data folder; it may not exist yet. */
  cluster_dir: string;
  /** A note for the operator about an unusual location. */
  notice?: string;
};

/**
 * The parent of data and binaries when an unprivileged account cannot reach the project (a 0700 /root, for example).
 */
export const SHARED_DIR = '/var/lib';

/**
 * Decides account and location. As root, an existing data folder keeps its owner; a new one gets `postgres` or
 * `nobody`. A data folder with mode 0700 that root owns is handed to that account, because otherwise only root could
 * enter it.
 */
export function locateCluster(data_dir: string): ClusterLocation {
  const inside = join(data_dir, 'postgres');
  if (process.getuid?.() !== 0) return { account: undefined, cluster_dir: inside };

  const account = existingOwner(inside) ?? findAccount();
  const outside = join(SHARED_DIR, `asterism-${hashPath(data_dir)}`, 'postgres');
  if (canReach(dirname(realpathSync(data_dir)), account) && !existsSync(join(outside, 'PG_VERSION'))) {
    if (!canEnter(data_dir, account)) chownSync(data_dir, account.uid, account.gid);
    return { account, cluster_dir: inside };
  }
  mkdirSync(dirname(outside), { recursive: true, mode: 0o700 });
  chownSync(dirname(outside), account.uid, account.gid);
  return {
    account: existingOwner(outside) ?? account,
    cluster_dir: outside,
    notice: `PostgreSQL cannot run as root, and the account ${account.name} cannot reach ${data_dir}: the database is in ${outside}.`,
  };
}

/** Whether the account may traverse every folder down to this one. */
export function canReach(dir: string, account: Account): boolean {
  return canEnter(dir, account) && (dir === dirname(dir) || canReach(dirname(dir), account));
}

function canEnter(dir: string, account: Account): boolean {
  const { mode, uid, gid } = statSync(dir);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function existingOwner(cluster_dir: string): Account | undefined {
  if (!existsSync(cluster_dir)) return undefined;
  const { uid, gid } = statSync(cluster_dir);
  return uid === 0 ? undefined : { name: `number ${uid}`, uid, gid };
}

function findAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${wanted}:`))?.split(':');
    if (fields) return { name: wanted, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(
    'PostgreSQL cannot run as root, and there is no account "postgres" or "nobody": start Asterism as an ordinary user, or set DATABASE_URL.',
  );
}

function hashPath(path: string): string {
  return createHash('sha256').update(realpathSync(path)).digest('hex').slice(0, 12);
}
