/**
 * The subjects of a measurement: the service and the floor as child processes over one temporary data folder, and their
 * users.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { locateCluster } from '../../server/engines/database/embedded.account.ts';
import { readPidFile } from '../../server/engines/database/embedded.processes.ts';
import { createIds } from '../../server/kernel/id.ts';
import { hashToken, generateToken } from '../../server/kernel/security/secret.ts';
import { createClock } from '../../server/kernel/time.ts';
// @ts-expect-error -- plain JavaScript that an old Node can parse
import { insidePath, NODE_FLAGS } from '../setup.mjs';
import { freePort, listens } from './measure.ts';

/** A server in a child process, and how long it took to listen. */
export type Child = { process: ChildProcess; pid: number; port: number; ready_ms: number };

/** A registered account and its session. */
export type Person = { id: string; token: string; session_id: string };
/** The service that one `npm run bench` measures, with its database and some users. */
export type BenchRun = {
  service: Child;
  db: pg.Client;
  database_url: string;
  /** The process id of PostgreSQL. */
  postmaster: number;
  people: Person[];
  /** Prints a result. */
  write(name: string, value: string): void;
};

const start_limit_ms = 60_000;

/** A data folder for one run. */
export function makeFolder(): { data_dir: string; remove(): void } {
  const data_dir = mkdtempSync(join(tmpdir(), 'asterism-bench-'));
  return {
    data_dir,
    remove() {
      const { cluster_dir } = locateCluster(data_dir);
      if (!cluster_dir.startsWith(data_dir)) rmSync(dirname(cluster_dir), { recursive: true, force: true });
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the service with its embedded defaults; `ready_ms` is from the start of its process to its first response.
 * @param cores the cores that it and its database are pinned to, in the syntax of taskset(1)
 */
export async function startService(data_dir: string, cores?: string): Promise<Child> {
  const [port, media_port] = [await freePort(), await freePort()];
  const main = join(import.meta.dirname, '..', '..', 'server', 'main.ts');
  // As npm start does it.
  const { PATH, NODE_COMPILE_CACHE } = insidePath() as NodeJS.ProcessEnv;
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    PORT: String(port),
    MEDIA_PORT: String(media_port),
    MEDIA_TCP_PORT: 'off',
    DATA_DIR: data_dir,
    THROTTLE_FACTOR: '1000000',
    LOG_LEVEL: 'error',
  };
  const started_ms = performance.now();
  const [command, ...args] = pinned(cores, [...(NODE_FLAGS as string[]), main]);
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  return waitUntilReady(child, port, started_ms, isReady);
}

/** Starts the floor on the database of a running service. */
export async function startFloor(database_url: string, public_url: string, people: Person[]): Promise<Child> {
  const port = await freePort();
  const started_ms = performance.now();
  const args = [join(import.meta.dirname, 'floor.ts'), String(port), database_url, public_url];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin?.end(JSON.stringify(people.map(({ id, token }) => [token, id])));
  return waitUntilReady(child, port, started_ms, () => listens(port));
}

/**
 * Starts the cheapest floor, one plain statement per request, on the database of a running service.
 * @param cores the cores that it is pinned to, in the syntax of taskset(1)
 */
export async function startPlainFloor(database_url: string, cores?: string): Promise<Child> {
  const port = await freePort();
  const started_ms = performance.now();
  const args = [join(import.meta.dirname, 'plain-floor.ts'), String(port), database_url];
  const [command, ...rest] = pinned(cores, args);
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
  return waitUntilReady(child, port, started_ms, () => listens(port));
}

/** The command that runs this Node with the arguments, pinned to cores if there are any. */
function pinned(cores: string | undefined, args: string[]): [command: string, ...args: string[]] {
  return cores === undefined ? [process.execPath, ...args] : ['taskset', '-c', cores, process.execPath, ...args];
}

/**
 * The child process, once it is ready.
 * @throws when it ends before that, or takes too long
 */
export async function waitUntilReady(
  child: ChildProcess,
  port: number,
  started_ms: number,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('A measured process ended before it was ready.');
    if (performance.now() - started_ms > start_limit_ms) throw new Error('A measured process did not become ready.');
    await delay(5);
  }
  return { process: child, pid: child.pid ?? 0, port, ready_ms: performance.now() - started_ms };
}

/** Stops a child process and waits for its exit. */
export async function stop({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The address and process of the embedded database of a running service. */
export function findDatabase(data_dir: string): { url: string; pid: number } {
  const file = readPidFile(locateCluster(data_dir).cluster_dir);
  if (!file) throw new Error('The embedded database does not run.');
  const host = encodeURIComponent(file.socket_dir);
  return { url: `postgresql://asterism@localhost/asterism?host=${host}&port=${file.port}`, pid: file.pid };
}

async function addSession(db: pg.Client, { id, session_id, token }: Person): Promise<void> {
  await db.query(
    `insert into sessions (id, user_id, device, ip, created_at, last_used_at, expires_at)
     values ($1, $2, 'bench', '127.0.0.1', now(), now(), now() + interval '1 day')`,
    [session_id, id],
  );
  await db.query(
    `insert into session_tokens (hash, session_id, kind, pair, parent, expires_at)
     values ($1, $2, 'access', 1, 0, now() + interval '1 day')`,
    [hashToken(token), session_id],
  );
}

/** Signs existing users in, in this order. */
export async function signIn(db: pg.Client, ids: string[]): Promise<Person[]> {
  const generateId = createIds(createClock());
  const people = ids.map((id) => ({ id, token: generateToken(), session_id: generateId('ses') }));
  for (const person of people) await addSession(db, person);
  return people;
}

/**
 * Adds people who are signed in, verified and on the larger plan; the first has `tags` tags. The usernames and numbers
 * of each group are unique.
 */
export async function addPeople(
  db: pg.Client,
  count: number,
  tags: number,
  { name, numbers } = { name: 'bench', numbers: '+1415555' },
): Promise<Person[]> {
  const generateId = createIds(createClock());
  const people: Person[] = [];
  for (let at = 0; at < count; at++) {
    const person = { id: generateId('usr'), token: generateToken(), session_id: generateId('ses') };
    people.push(person);
    await db.query(
      `insert into users (id, username, password_hash, display_name, mobile_number, mobile_verified, tier, created_at)
       values ($1, $2, '', '', $3, true, 'plus', now())`,
      [person.id, `${name}_${at}`, `${numbers}${String(at).padStart(4, '0')}`],
    );
    await addSession(db, person);
  }
  for (let at = 0; at < tags; at++)
    await db.query(
      `insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
       values ($1, $2, $3, 'A title', 'A description', 'public', 'open', now())`,
      [generateId('tag'), `kept-${at}`, people[0]?.id],
    );
  return people;
}
