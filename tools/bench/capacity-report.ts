/** The report of `npm run capacity`: its table, what disturbed the measurement, and whether overload was handled. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The measured capacity of one operation: `rate` is in requests a second, `p99_ms` their 99th percentile at that rate.
 */
export type Row = {
  title: string;
  bound_ms: number;
  rate: number;
  /** The speed of the node's cores during the trials: responses of a bare server per millisecond. */
  speed: number;
  /**
   * The share of trials that were discarded because the processor was slower than usual, and whether enough were valid.
   */
  unfair: number;
  is_complete: boolean;
  p99_ms: number;
  bottleneck: string;
  /** Cores used by other programs, or by the host, in a quarter of the trials or more. */
  others: number;
  over: Overload;
};

/**
 * The same operation beyond its capacity: accepted requests a second, shares of those that were shed and unsent, other
 * failures, and memory.
 */
export type Overload = {
  accepted: number;
  p99_ms: number;
  shed: number;
  unsent: number;
  other: number;
  peak_bytes: number;
  before_bytes: number;
};

/** Other work of up to this many cores is attributed to the kernel, and to the resolution of the clocks. */
const max_others = 0.3;

/** Two runs on one machine differ in capacity by at most this share. */
const max_apart = 0.15;

const isDisturbed = ({ others, is_complete }: Row) => others > max_others || !is_complete;

/** The parameters of the measurement. */
export type Method = {
  counted_trials: number;
  step_ms: number;
  trial_factor: number;
  overload_times: number;
  overload_ms: number;
  /** The maximum ratio of the 99th percentile of accepted requests under overload to that at capacity. */
  max_factor: number;
};

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)}`;

/** Whether overload was handled: accepted requests were still fast, and every request got a response. */
const isHeld = ({ p99_ms, over }: Row, { max_factor }: Method) =>
  over.p99_ms <= max_factor * p99_ms && over.other === 0;

/** A figure that was disturbed by other work is marked. */
const rateOf = (row: Row) => `${row.rate.toFixed(0)}${isDisturbed(row) ? ' (disturbed)' : ''}`;

/** The report in Markdown. */
export function formatReport(rows: Row[], method: Method): string {
  const { counted_trials, step_ms, trial_factor, overload_times, overload_ms, max_factor } = method;
  const lines = rows.map((row) => {
    const { title, bound_ms, p99_ms, speed, bottleneck, over } = row;
    return `| \`${title}\` | ${rateOf(row)} | ${speed.toFixed(2)} | ${p99_ms.toFixed(0)} of ${bound_ms} | ${bottleneck} | ${over.accepted.toFixed(0)} | ${over.p99_ms.toFixed(0)} | ${(over.shed * 100).toFixed(0)} % | ${(over.unsent * 100).toFixed(0)} % | ${mebibytes(over.before_bytes)} → ${mebibytes(over.peak_bytes)} | ${isHeld(row, method) ? 'yes' : 'no'} |`;
  });
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `# Capacity of one node

Measured by \`npm run capacity -- --write\` on one machine of ${cpus().length} shared cores and ${memory} GiB of memory: the load generator is pinned
to the last core, node and embedded database to the others. Run it on your own machine. Capacity is the rate of requests, sent
without waiting for responses, at which half of the trials succeed: in two of three slices of 100 ms, 99 of 100 requests are
accepted, and 99 of 100 of all accepted ones are answered within the bound. It is the median of ${counted_trials} trials of ${step_ms / 1000} s, each ${Math.round((trial_factor - 1) * 100)} % above a successful one or below a failed one, counted
from the second reversal on.
Overload is ${overload_times} times that rate for ${overload_ms / 1000} s: accepted requests must be answered within ${max_factor} times their time at capacity (99th percentile),
and all others with 503 or 429 and \`Retry-After\`. The generator has 1000 connections: requests that are due while all of them
are waiting are not sent, which are many where one node refuses more than 2000 requests a second, as it then answers them later.
Speed is the number of responses per millisecond of a bare server on the same cores, which reads one row for each; it is measured
before and after each trial: a shared machine is slower while its host has other work. A trial at a lower speed than usual is discarded and repeated,
and two runs are compared at the same speed.
A figure is marked as disturbed if other processes used more than ${max_others} cores or too few trials were valid: it then shows neither the
capacity of the machine nor its behaviour under overload, since the node has to wait for the processor even to refuse a request.

| operation | capacity, requests/s | speed | p99, ms of bound | first bottleneck | overload: accepted/s | their p99, ms | refused | not sent | memory, MiB | held |
|---|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

/** Reports disturbances, and overload that was not handled; the latter is a failure. */
export function report(rows: Row[], method: Method): void {
  for (const { title, others, unfair } of rows.filter(isDisturbed))
    console.log(
      `${title}: disturbed. Other work took ${others.toFixed(2)} cores, and in ${(unfair * 100).toFixed(0)} % of the trials the processor was slower than usual; run it again when the machine is idle.`,
    );
  for (const { title } of rows.filter((row) => !isHeld(row, method))) {
    console.log(`${title}: overload was not handled.`);
    process.exitCode = 1;
  }
}

/** The figures of the last run, with its processor. */
const last_path = join(import.meta.dirname, '..', '..', '.cache', 'capacity.json');
type LastRun = { processor: string; rows: Pick<Row, 'title' | 'rate' | 'speed'>[] };

/**
 * Compares this run with the last one on the same processor, adjusted for its speed, and stores this one for the next.
 * @returns the titles that differ by more than two runs may
 */
export function compareWithLast(rows: Row[], path = last_path): string[] {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
  const last = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LastRun) : undefined;
  const before = last?.processor === processor ? last.rows : [];
  const apart: string[] = [];
  for (const { title, rate, speed } of rows) {
    const then = before.find((one) => one.title === title);
    if (!then) continue;
    const change = rate / speed / (then.rate / then.speed) - 1;
    const agrees = Math.abs(change) <= max_apart;
    if (!agrees) apart.push(title);
    console.log(
      `${title}: ${(change * 100).toFixed(0)} % from the last run at the same speed (${then.rate.toFixed(0)} at ${then.speed.toFixed(2)}, now ${rate.toFixed(0)} at ${speed.toFixed(2)})${agrees ? '' : ': the two do not agree'}.`,
    );
  }
  const kept = [...before.filter((one) => !rows.some(({ title }) => title === one.title)), ...rows];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    JSON.stringify({ processor, rows: kept.map(({ title, rate, speed }) => ({ title, rate, speed })) }),
  );
  return apart;
}
