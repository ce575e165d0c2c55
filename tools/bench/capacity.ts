/**
 * npm run capacity [-- --write] [TITLE]: measures the capacity of one node on this machine, and its behaviour at four
 * times that load. For each operation it finds the highest rate at which 99 of 100 responses are within a time limit,
 * and then offers four times that rate: accepted requests must still be fast, others must be refused properly, and
 * memory must not grow. `--write` writes the table to docs/capacity.md. Each run is compared with the last one on this
 * machine. The load generator runs on the same machine. Linux only.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { default_limits } from '../../server/kernel/load/limits.ts';
import { hashPassword } from '../../server/kernel/security/hashing.ts';
import { compareWithLast, formatReport, report, type Overload, type Row } from './capacity-report.ts';
import { nameBottleneck, othersOf, watchLoad, type Load } from './machine-load.ts';
import { percentile, residentOf } from './measure.ts';
import { offer, saturate, type Outcome, type Request } from './open-loop.ts';
import {
  addPeople,
  findDatabase,
  makeFolder,
  startPlainFloor,
  startService,
  stop,
  type Child,
  type Person,
} from './subjects.ts';
import { splitCores } from './pin-cores.ts';

const people_count = 800;
const tags_count = 30;
const step_ms = 1500;
const overload_ms = 10_000;
const overload_times = 4;
/**
 * Trials approach the capacity by large steps until the second reversal of their direction, and then measure it, each
 * one small step from the one before.
 */
const approach_reversals = 2;
const approach_factor = 1.25;
const counted_trials = 16;
/**
 * A trial is valid if the processor was about as fast before and after it as it usually is in this run; otherwise it is
 * repeated.
 */
const fair_share = 0.88;
const max_trials = 80;
const max_overloads = 3;
const trial_factor = 1.07;
/** The maximum ratio of the 99th percentile of accepted requests under overload to that at capacity. */
const max_factor = 2;
const method = { counted_trials, step_ms, trial_factor, overload_times, overload_ms, max_factor };
const password = 'a warm copper lantern';

type Subject = { title: string; bound_ms: number; start_rate: number; next: () => Request };

type Run = {
  service: Child;
  db: pg.Client;
  postmaster: number;
  /** A bare server on the cores of the node, which does the same kind of work. */
  floor: Child;
  /** The speed at each trial. */
  speeds: number[];
};

/** Connections to the bare server, and how long it is measured, in milliseconds. */
const probe_connections = 32;
const probe_ms = 300;

/**
 * The current speed of the node's cores: one-row responses of the bare server per millisecond. A shared machine slows
 * down when its host has other work, which no counter of the guest shows: only work of a known size takes longer. The
 * bare server is slowed by the same things as the node: system calls, switches between processes, and memory.
 */
const probeSpeed = ({ floor }: Run): Promise<number> =>
  saturate(floor.port, probe_connections, probe_ms, () => ({ method: 'GET', path: '/row' }));

async function tidyUp({ db }: Run): Promise<void> {
  await db.query(`delete from tags where visibility = 'private'`);
}

/**
 * Whether a rate is sustained: in two of three slices 99 of 100 requests are accepted, and 99 of 100 of all accepted ones are
 * within the time limit. A rate above the capacity is refused in every slice; a stall of the host, in which a fast operation
 * is refused within milliseconds, spoils only the slices that it falls into.
 */
const isCarried = ({ slices, accepted_ms }: Outcome, bound_ms: number) => {
  const held = slices.filter(({ offered, accepted }) => accepted >= 0.99 * offered);
  return held.length >= (slices.length * 2) / 3 && percentile(accepted_ms, 0.99) <= bound_ms;
};

/** Whether the processor is as fast as it usually was until now. */
const isFair = ({ speeds }: Run, speed: number): boolean => speed >= fair_share * percentile(speeds, 0.75);

type Trial = { rate: number; speed: number; load: Load; carried: boolean; p99_ms: number };

/** Offers a rate for a moment; undefined if that was a slow moment of the host, which says nothing about the node. */
async function tryRate(run: Run, { bound_ms, next }: Subject, rate: number): Promise<Trial | undefined> {
  const before = await probeSpeed(run);
  const [outcome, load] = await watchLoad(run, step_ms, () => offer(run.service.port, rate, step_ms, next));
  const speed = Math.min(before, await probeSpeed(run));
  run.speeds.push(speed);
  await tidyUp(run);
  const carried = isCarried(outcome, bound_ms);
  return isFair(run, speed) ? { rate, speed, load, carried, p99_ms: percentile(outcome.accepted_ms, 0.99) } : undefined;
}

/**
 * The trials that measure the highest sustained rate. The rate is doubled until it fails twice, since a single
 * failure may be noise of the host. Then it goes up one step after each successful trial and down one step after each failed one (the
 * up-and-down method of Dixon and Mood, 1948), whose trials before the second reversal are not
 * counted, since they depend on where it began.
 */
async function runTrials(run: Run, subject: Subject): Promise<{ trials: Trial[]; unfair: number }> {
  let tries = 0;
  let unfair = 0;
  const attempt = async (rate: number): Promise<Trial | undefined> => {
    while (tries++ < max_trials) {
      const tried = await tryRate(run, subject, rate);
      if (tried) return tried;
      unfair += 1;
    }
    return undefined;
  };
  let rate = subject.start_rate;
  // The first requests of a new process are slow.
  await tryRate(run, subject, rate);
  while ((await attempt(rate))?.carried || (await attempt(rate))?.carried) rate *= 2;
  const trials: Trial[] = [];
  let reversals = 0;
  let before: Trial | undefined;
  while (trials.length < counted_trials) {
    const tried = await attempt(rate);
    if (!tried) break;
    if (before && before.carried !== tried.carried) reversals += 1;
    before = tried;
    const is_counted = reversals >= approach_reversals;
    if (is_counted) trials.push(tried);
    const factor = is_counted ? trial_factor : approach_factor;
    rate = tried.carried ? rate * factor : rate / factor;
  }
  return { trials, unfair: unfair / Math.min(tries, max_trials) };
}

/**
 * The highest sustained rate: the median of the trials around it succeeds half of the time, while a single one would only
 * reflect its moment.
 */
async function findCapacity(run: Run, subject: Subject) {
  const { trials, unfair } = await runTrials(run, subject);
  const carried = trials.filter((one) => one.carried);
  const beyond = trials.findLast((one) => !one.carried);
  const middle = (values: number[]) => percentile(values, 0.5);
  const speed = middle(trials.map((one) => one.speed));
  return {
    // Each trial is normalised by the processor's speed at that time, so that a slow minute of the host is not
    // attributed to the node.
    rate: middle(trials.map((one) => one.rate / one.speed)) * speed,
    speed,
    unfair,
    is_complete: trials.length === counted_trials,
    p99_ms: middle(carried.map((one) => one.p99_ms)),
    load: beyond?.load,
    others: percentile(
      trials.map((one) => othersOf(one.load)),
      0.75,
    ),
  };
}

/** Offers four times the capacity, and samples memory meanwhile. */
async function overload(run: Run, { next }: Subject, rate: number): Promise<Overload> {
  const before_bytes = residentOf(run.service.pid);
  let peak_bytes = before_bytes;
  const watch = setInterval(() => (peak_bytes = Math.max(peak_bytes, residentOf(run.service.pid))), 100);
  const outcome = await offer(run.service.port, rate * overload_times, overload_ms, next);
  clearInterval(watch);
  await tidyUp(run);
  const other = [...outcome.other.values()].reduce((sum, count) => sum + count, 0);
  for (const [status, count] of outcome.other) console.error(`${count} answers had status ${status}`);
  return {
    accepted: (outcome.accepted_ms.length * 1000) / overload_ms,
    p99_ms: percentile(outcome.accepted_ms, 0.99),
    shed: outcome.shed_ms.length / outcome.offered,
    unsent: outcome.unsent / outcome.offered,
    other,
    peak_bytes,
    before_bytes,
  };
}

/** Overloads the node, again up to twice if the host was slower than usual. */
async function overloadFairly(run: Run, subject: Subject, rate: number): Promise<Overload> {
  for (let tries = 1; ; tries++) {
    const before = await probeSpeed(run);
    const over = await overload(run, subject, rate);
    if (tries === max_overloads || isFair(run, Math.min(before, await probeSpeed(run)))) return over;
  }
}

function subjectsOf(people: Person[], sign_ins: string[]): Subject[] {
  const token = people[0]?.token ?? '';
  let made = 0;
  return [
    { title: 'GET /me', bound_ms: 100, start_rate: 500, next: () => ({ method: 'GET', path: '/v1/me', token }) },
    { title: 'GET /xtags', bound_ms: 100, start_rate: 300, next: () => ({ method: 'GET', path: '/v1/xtags', token }) },
    {
      title: 'POST /xtags',
      bound_ms: 100,
      start_rate: 200,
      next: () => {
        made += 1;
        const owner = people[1 + (made % (people.length - 1))];
        const body = JSON.stringify({ name: `made-${made}`, visibility: 'private' });
        return { method: 'POST', path: '/v1/xtags', token: owner?.token ?? '', body };
      },
    },
    {
      title: 'POST /auth/login',
      bound_ms: 500,
      start_rate: 10,
      next: () => {
        const username = sign_ins[(made += 1) % sign_ins.length];
        return { method: 'POST', path: '/v1/auth/login', body: JSON.stringify({ username, password }) };
      },
    },
  ];
}

/**
 * Starts the service and the bare server, with people who can sign in.
 * @param cores those of both; undefined leaves it to the system
 * @param closing receives what is to be closed afterwards, the last first
 */
async function prepareRun(
  cores: number[] | undefined,
  closing: (() => unknown)[],
): Promise<{ run: Run; subjects: Subject[] }> {
  const folder = makeFolder();
  closing.unshift(folder.remove);
  const service = await startService(folder.data_dir, cores?.join());
  closing.unshift(() => stop(service));
  const { url, pid: postmaster } = findDatabase(folder.data_dir);
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  closing.unshift(() => db.end());
  const floor = await startPlainFloor(url, cores?.join());
  closing.unshift(() => stop(floor));
  const people = await addPeople(db, people_count, tags_count);
  await db.query('update users set password_hash = $1', [
    await hashPassword({ hashing: { run: (_client, work) => work() }, limits: default_limits }, 'bench', password),
  ]);
  const { rows: users } = await db.query<{ username: string }>('select username from users');
  const sign_ins = users.map(({ username }) => username);
  return { run: { service, db, postmaster, floor, speeds: [] }, subjects: subjectsOf(people, sign_ins) };
}

/** Measures one operation: its capacity, and its behaviour beyond that. */
async function measureSubject(run: Run, subject: Subject, cores: number): Promise<Row> {
  const { load, ...found } = await findCapacity(run, subject);
  const over = await overloadFairly(run, subject, found.rate);
  const bottleneck = load ? nameBottleneck(load, cores) : 'not reached';
  return { title: subject.title, bound_ms: subject.bound_ms, ...found, bottleneck, over };
}

async function main(): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const cores = splitCores();
    const { run, subjects } = await prepareRun(cores, closing);
    const wanted = process.argv
      .slice(2)
      .filter((one) => !one.startsWith('--'))
      .join(' ');
    const rows: Row[] = [];
    for (const subject of subjects.filter(({ title }) => title.startsWith(wanted))) {
      const row = await measureSubject(run, subject, cores?.length ?? cpus().length);
      rows.push(row);
      console.log(JSON.stringify(row));
    }
    const text = formatReport(rows, method);
    console.log(text);
    if (process.argv.includes('--write')) {
      const path = join(import.meta.dirname, '..', '..', 'docs', 'capacity.md');
      writeFileSync(path, text);
      execFileSync('oxfmt', [path]);
    }
    report(rows, method);
    compareWithLast(rows);
  } finally {
    for (const close of closing) await close();
  }
}

if (process.platform === 'linux') await main();
else console.log('The capacity is read from /proc and runs on Linux only.');
