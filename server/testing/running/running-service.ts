/** The service in a separate process, with free ports and a new folder: for tests over real sockets. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CapturedMessage } from '../../engines/ports.ts';
import type { FaultOrder } from './fault-points.ts';
import { fastFolder } from '../world/fast-folder.ts';
import { copyCluster } from './prepared-cluster.ts';
import { acquireHost } from './service-hosts.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The environment of a program that has no setting of the tests, as in a shell: with Node's compile cache it starts faster. */
export const program_environment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

export type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> };

export type Service = {
  url: string;
  /** Its folder, for tools that run beside it. */
  data_dir: string;
  /** The program of a service with `is_program`; otherwise a process that runs services of other tests later, and is not to be ended. */
  process: ChildProcess;
  /** One request over the network. */
  call(route: string, options?: CallOptions): Promise<{ status: number; body: any; headers: Headers }>; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely
  /** The newest code that was sent to an address; waits for one. */
  codeFor(to: string): Promise<string>;
  /** What was sent to an address, newest first. */
  caught(to: string): Promise<CapturedMessage[]>;
  /**
   * Kills the process without warning, unless it has ended already, and starts the program with the same folder and ports.
   */
  killAndRestart(): Promise<void>;
  /** Arms a fault point of `fault-points.ts`; the process must have been started with `faults`. */
  arm(order: FaultOrder): Promise<void>;
  /** Resolves once the process has ended, to the signal that ended it. */
  ended(): Promise<NodeJS.Signals | null>;
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Variables in addition to those of every test's service. */
  environment?: Record<string, string>;
  /** Variables that depend on the port of the service. */
  configure?(port: number): Record<string, string>;
  /** The program itself in a process of its own, with its signals and fault points; otherwise a process that ran others before. */
  is_program?: boolean;
  /** Loads the fault points before the program. */
  faults?: boolean;
  /** Where its data folder is created; the folder for databases of tests by default. */
  folder?: string;
  /** The maximum number of files and sockets of each process of the program (RLIMIT_NOFILE). */
  descriptors?: number;
  /** Whether it leaves the processor to others: for tests that keep it busy beside tests of media, which measure pauses. */
  is_background?: boolean;
};

/** Of a process that leaves the processor to others: it gets a tenth of the time of each of those (nice(1)). */
export const BACKGROUND_NICENESS = 10;

/** Starts the service and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const data_dir = createFolder(options.folder);
  if (!options.environment?.['DATABASE_URL']) await prepareData(data_dir);
  return startIn(data_dir, options);
}

/** Copies a migrated database into a new data folder, so that the service uses it instead of creating one. */
export async function prepareData(data_dir: string): Promise<void> {
  mkdirSync(data_dir, { recursive: true, mode: 0o755 });
  await copyCluster(data_dir, createCluster);
}

function createFolder(parent = fastFolder()): string {
  const data_dir = mkdtempSync(join(parent, 'asterism-journey-'));
  // The database's account must reach its folder inside.
  chmodSync(data_dir, 0o755);
  return data_dir;
}

/** A folder whose service has created its database and has ended. */
async function createCluster(): Promise<string> {
  const data_dir = createFolder();
  const service = await startIn(data_dir, { is_program: true });
  service.process.kill('SIGTERM');
  await service.ended();
  return data_dir;
}

async function startIn(data_dir: string, options: ServiceOptions): Promise<Service> {
  const [port, media_port] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    MEDIA_PORT: String(media_port),
    MEDIA_TCP_PORT: 'off',
    DATA_DIR: data_dir,
    THROTTLE_FACTOR: '1000',
    NODE_ENV: 'test',
    ...options.environment,
    ...options.configure?.(port),
  };
  const isProgram = options.is_program || options.faults || options.descriptors !== undefined || options.is_background;
  let host = isProgram ? undefined : await acquireHost();
  const launch = () => start(environment, options);
  let child = host ? host.process : await launch();
  await host?.start(environment);
  return {
    url,
    data_dir,
    get process() {
      return child;
    },
    call: (route, request) => call(url, route, request),
    codeFor: (to) => poll(async () => (await outbox(url, to))[0]?.code),
    caught: (to) => outbox(url, to),
    async killAndRestart() {
      host = undefined;
      child.kill('SIGKILL');
      await exitOf(child);
      child = await launch();
    },
    async arm(order) {
      const answered = once(child, 'message');
      child.send(order);
      await answered;
    },
    ended: () => exitOf(child),
    async close() {
      if (host) await host.stop();
      else {
        child.kill('SIGTERM');
        await exitOf(child);
      }
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

async function exitOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

async function start(
  environment: NodeJS.ProcessEnv,
  { faults = false, descriptors, is_background = false }: ServiceOptions,
): Promise<ChildProcess> {
  const preload = faults ? ['--import', './server/testing/running/fault-points.ts'] : [];
  const command = [process.execPath, ...preload, 'server/main.ts'];
  const limited = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`];
  const [program = '', ...args] = [...limited, ...command];
  const child = spawn(program, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', ...(faults ? ['ipc' as const] : [])],
  });
  // Its database and other processes inherit it.
  if (is_background && child.pid !== undefined) setPriority(child.pid, BACKGROUND_NICENESS);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line.includes('"ready_ms"')) {
      child.stdout?.resume();
      return child;
    }
  }
  throw new Error(`the service did not start: ${errors}`);
}

async function call(url: string, route: string, { token, body, headers: custom_headers = {} }: CallOptions = {}) {
  const [method = 'GET', path = '/'] = route.split(' ');
  const headers = {
    ...custom_headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers };
}

async function outbox(url: string, to: string): Promise<CapturedMessage[]> {
  const response = await fetch(`${url}/console/outbox?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { items: CapturedMessage[] }).items;
}

/** Repeats a request until it returns something, or for `within_ms`, after which it counts as hung. */
export async function poll<T>(
  request: () => Promise<T | undefined | false>,
  what = 'an answer',
  within_ms = 120_000,
): Promise<T> {
  const end_ms = performance.now() + within_ms;
  while (performance.now() < end_ms) {
    const answer = await request();
    if (answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${within_ms} ms`);
}

/**
 * Below the ports that systems assign to outgoing connections (Linux 32768, IANA 49152), which could take a port while
 * its service is down.
 */
const ports = { from: 11_000, to: 32_000 };

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    const server = createServer().listen(port, '0.0.0.0');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
