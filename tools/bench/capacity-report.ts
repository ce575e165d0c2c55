/** The report of `npm run capacity`: its table, what disturbed it, and whether overload was held off. */
import { cpus, totalmem } from 'node:os';

export type Row = {
  title: string;
  bound_ms: number;
  rate: number;
  p99_ms: number;
  bottleneck: string;
  /** Cores that other programs, or the host, took in one of four trials or more. */
  others: number;
  over: Overload;
};
export type Overload = {
  accepted: number;
  p99_ms: number;
  shed: number;
  unsent: number;
  other: number;
  peak_bytes: number;
  before_bytes: number;
};

/** Other work up to this many cores is the kernel's own for what is measured, and clocks that tick in hundredths. */
const max_others = 0.3;

/** How the figures were taken. */
export type Method = {
  counted_trials: number;
  step_ms: number;
  trial_factor: number;
  overload_times: number;
  overload_ms: number;
  /** What overload may do to the 99th percentile of what is accepted: this many times what it is at capacity. */
  max_factor: number;
};

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)}`;

/** Whether overload was held off: what was accepted kept its time, and nothing went without an answer. */
const isHeld = ({ p99_ms, over }: Row, { max_factor }: Method) =>
  over.p99_ms <= max_factor * p99_ms && over.other === 0;

/** A figure that other work took part in does not stand for the machine. */
const rateOf = ({ rate, others }: Row) => `${rate.toFixed(0)}${others > max_others ? ' (disturbed)' : ''}`;

export function formatReport(rows: Row[], method: Method): string {
  const { counted_trials, step_ms, trial_factor, overload_times, overload_ms, max_factor } = method;
  const lines = rows.map(
    ({ title, bound_ms, p99_ms, bottleneck, over, ...row }, at) =>
      `| \`${title}\` | ${rateOf({ ...row, title, bound_ms, p99_ms, bottleneck, over })} | ${p99_ms.toFixed(0)} of ${bound_ms} | ${bottleneck} | ${over.accepted.toFixed(0)} | ${over.p99_ms.toFixed(0)} | ${(over.shed * 100).toFixed(0)} % | ${(over.unsent * 100).toFixed(0)} % | ${mebibytes(over.before_bytes)} → ${mebibytes(over.peak_bytes)} | ${rows[at] && isHeld(rows[at], method) ? 'yes' : 'no'} |`,
  );
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `# Capacity of one node

Measured by \`npm run capacity -- --write\` on one machine of ${cpus().length} shared cores and ${memory} GiB of memory: the generator is held
to the last core, node and embedded database to the others: run it on yours. Capacity is the rate of requests,
sent without waiting for answers, at which 99 of 100 are accepted and answered within the bound as often as not: the
median of ${counted_trials} trials of ${step_ms / 1000} s, each ${Math.round((trial_factor - 1) * 100)} % above one that was carried or below one that was not.
Overload is ${overload_times} times that rate for ${overload_ms / 1000} s: what is accepted must answer within ${max_factor} times its time at capacity (99th percentile), all else must be 503 or
429 with \`Retry-After\`. The generator has 1000 connections: what is due while all of them wait is not sent.
Where other work took more than ${max_others} cores a figure is marked as disturbed: it is of what that work left, neither a capacity
of the machine nor a fair trial of overload, since the node then waits for the processor before it can even refuse.

| operation | capacity, requests/s | p99, ms of bound | first bottleneck | overload: accepted/s | their p99, ms | refused | not sent | memory, MiB | held |
|---|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}

/** Says what was disturbed and what was not held off; the latter is a failure. */
export function report(rows: Row[], method: Method): void {
  for (const { title, others } of rows) {
    if (others <= max_others) continue;
    console.log(
      `${title}: disturbed. Other work took ${others.toFixed(2)} cores; run it again when the machine is quiet.`,
    );
  }
  for (const { title } of rows.filter((row) => !isHeld(row, method))) {
    console.log(`${title}: overload was not held off.`);
    process.exitCode = 1;
  }
}
