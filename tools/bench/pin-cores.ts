/** Divides the cores of the machine between a load generator and what it measures. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/**
 * Pins the generator to the last core and gives the others to the service, so that an overload does not itself take CPU
 * time from the service. Undefined when there is only one core, or no taskset(1).
 */
export function splitCores(): number[] | undefined {
  const last = cpus().length - 1;
  if (last < 1) return undefined;
  try {
    holdTo(last);
  } catch {
    return undefined;
  }
  return Array.from({ length: last }, (_, core) => core);
}

function holdTo(core: number): void {
  execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}
