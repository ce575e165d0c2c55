/** The connections of a process to a server (proc(5)), beside its other descriptors, whose number follows the load. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The inodes of the TCP sockets of a network namespace that are connected to a port. */
function inodesTo(pid: number, port: number): string[] {
  return ['tcp', 'tcp6'].flatMap((protocol) => {
    const [, ...lines] = readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8').trimEnd().split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/));
    return rows
      .filter(([, , remote = '']) => Number.parseInt(remote.split(':')[1] ?? '', 16) === port)
      .map((row) => row[9] ?? '');
  });
}

/** Where a descriptor leads; undefined when it was closed meanwhile. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** How many TCP connections of a process to a port are open, in whatever state. */
export function countConnections(pid: number, port: number): number {
  const sockets = new Set(inodesTo(pid, port).map((inode) => `socket:[${inode}]`));
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => targetOf(`/proc/${pid}/fd/${name}`));
  return targets.filter((target) => target !== undefined && sockets.has(target)).length;
}
