/** Which part of the machine uses its cores during a measurement: the service, its database, the generator or others. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuOf, cpuOfDatabase } from './measure.ts';
import type { Child } from './subjects.ts';

/** Cores that each part of the machine used on average. */
export type Load = { service: number; loop: number; database: number; generator: number; idle: number };

/** CPU milliseconds of the main thread, whose id is that of its process, and which runs the event loop. */
function cpuOfMainThread(pid: number): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds for which the machine's cores were idle (proc_stat(5)). */
function idleOfMachine(): number {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  return Number(fields[4] ?? 0) * 10;
}

/**
 * The number of cores that each part of the machine used in the first `watched_ms` of some work: after that it only waits
 * for the last responses.
 */
export async function watchLoad<T>(
  { service, postmaster }: { service: Child; postmaster: number },
  watched_ms: number,
  work: () => Promise<T>,
): Promise<[T, Load]> {
  const read = () => [
    cpuOf(service.pid),
    cpuOfMainThread(service.pid),
    cpuOfDatabase(postmaster),
    process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
    idleOfMachine(),
    performance.now(),
  ];
  const before = read();
  const [result, after] = await Promise.all([work(), delay(watched_ms).then(read)]);
  const [service_ms = 0, loop_ms = 0, database_ms = 0, generator_ms = 0, idle_ms = 0, wall_ms = 1] = after.map(
    (value, at) => value - (before[at] ?? 0),
  );
  const share = (ms: number) => ms / wall_ms;
  const [service_share, loop, database] = [share(service_ms), share(loop_ms), share(database_ms)];
  return [result, { service: service_share, loop, database, generator: share(generator_ms), idle: share(idle_ms) }];
}

/** Cores that were neither idle nor used by the node or the generator: used by other programs, or taken by the host. */
export const othersOf = ({ service, database, generator, idle }: Load) =>
  Math.max(0, cpus().length - idle - service - database - generator);

/** The bottleneck, by CPU usage; the generator's share counts as the machine's, not as the node's. */
export function nameBottleneck(load: Load, node_cores: number): string {
  const { service, loop, database, generator, idle } = load;
  const withCores = (text: string, cores: number) => `${text} (${cores.toFixed(2)} cores)`;
  if (loop > 0.85) return withCores("the node's event loop", loop);
  if (service - loop > Math.max(loop, database)) return withCores('hashing of passwords', service - loop);
  const shares = { loop, database, generator, 'other work': othersOf(load) };
  const rest = Object.entries(shares).map(([name, cores]) => `${name} ${cores.toFixed(2)}`);
  if (service + database > 0.85 * node_cores) return `the node's cores (${rest.slice(0, 2).join(', ')})`;
  if (idle < 0.15 * cpus().length) return `the machine's cores (${rest.join(', ')})`;
  return database > loop ? withCores('the database', database) : `waiting (${rest.join(', ')})`;
}
