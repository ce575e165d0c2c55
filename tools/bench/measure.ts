/**
 * Measurements on Linux: CPU time of processes from /proc (proc_pid_stat(5)), and requests over persistent connections.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';

/** One tick of /proc in milliseconds: USER_HZ is 100 on every architecture that Node runs on. */
const tick_ms = 10;

type Stat = { parent: number; cpu_ms: number; ended_children_ms: number };

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, is in parentheses and may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (field: number) => fields[field - 3] ?? 0;
    return { parent: at(4), cpu_ms: (at(14) + at(15)) * tick_ms, ended_children_ms: (at(16) + at(17)) * tick_ms };
  } catch {
    return undefined;
  }
}

/** CPU milliseconds that a process has used with all its threads. */
export function cpuOf(pid: number): number {
  return readStat(pid)?.cpu_ms ?? 0;
}

/** CPU milliseconds of a PostgreSQL server: its postmaster, its backends, and those that have ended. */
export function cpuOfDatabase(postmaster: number): number {
  const own = readStat(postmaster);
  let sum_ms = (own?.cpu_ms ?? 0) + (own?.ended_children_ms ?? 0);
  for (const pid of childrenOf(postmaster)) sum_ms += cpuOf(pid);
  return sum_ms;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => readStat(pid)?.parent === parent);
}

/** Resident memory of a process in bytes. */
export function residentOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** One request of a measurement. */
export type Ask = {
  method: string;
  path: string;
  token: string;
  body?: string;
  /** an idempotency key */ key?: string;
};

/** Sends one request; resolves to its status and body. */
export function ask(port: number, agent: Agent, { method, path, token, body, key }: Ask): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (key !== undefined) headers['idempotency-key'] = key;
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends requests over `at_once` persistent connections for `duration_ms`. @throws when a response is not a success */
export async function load(port: number, at_once: number, duration_ms: number, next: () => Ask): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: at_once });
  const until_ms = performance.now() + duration_ms;
  let done = 0;
  const work = async () => {
    while (performance.now() < until_ms) {
      const [status, text] = await ask(port, agent, next());
      if (status < 200 || status > 299) throw new Error(`An answer had status ${status}: ${text.slice(0, 200)}`);
      done += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: at_once }, work));
  } finally {
    agent.destroy();
  }
  return done;
}

/** The median; 0 without values. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The value below which a share of the values lies; 0 without any. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A free TCP port on loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Whether something listens on a port of loopback. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
