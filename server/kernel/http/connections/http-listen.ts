/** Listening: how connections are accepted. */
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { createServer, Server, type AddressInfo, type ListenOptions, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Limits } from '../../load/limits.ts';
import type { Log } from '../../observability/log.ts';

/** Platforms that distribute the connections of one port over several sockets (SO_REUSEPORT, socket(7), Linux 3.9). */
const has_shared_ports = process.platform === 'linux';

/** The minimum interval between log lines about failed accepts. */
const accept_log_ms = 10_000;

/** A server that accepts connections. */
export type Listening = {
  port: number;
  /** Accepts no more connections. Open ones stay, and those already in the accept queue are accepted first. */
  close(): Promise<void>;
};

/**
 * Starts accepting connections, on several sockets of one port where the system supports it. libuv accepts one
 * connection per socket and loop turn: with a single socket, a client that connects to a busy node waits one turn for
 * each client before it, which can be seconds, while connected clients are served.
 * @throws the system's error when the port is in use (`EADDRINUSE`) or not permitted
 */
export async function listen(
  http: FastifyInstance,
  where: { host: string; port: number },
  limits: Limits,
  log: Log,
): Promise<Listening> {
  const options = { ...where, backlog: limits.connections_waiting, reusePort: has_shared_ports };
  // A port with SO_REUSEPORT could be shared by a second service by mistake.
  if (has_shared_ports && where.port !== 0) await requireFree(where);
  await http.listen(options);
  keepAccepting(http.server, log);
  const { address: host, port } = http.server.address() as AddressInfo;
  const others: Server[] = [];
  const count = has_shared_ports ? limits.sockets_listening : 1;
  while (others.length + 1 < count) others.push(await listenBeside(http.server, { ...options, host, port }, log));
  return {
    port,
    close: () => closeWhenQuiet(http.server, others, { port, max_held: limits.connections }),
  };
}

/** How long nobody must have come until the sockets are closed; how long to wait for that, and for a moment without a queue. */
const calm_ms = 20;
const calm_within_ms = 500;
const empty_within_ms = 3000;

/**
 * Closes listening sockets together, in a moment in which no connection is queued on any: the system resets those that are queued
 * on a closed one. What is accepted until then waits, so that nobody who was answered comes again: the queues become empty
 * however many clients there are.
 */
async function closeWhenQuiet(
  server: Server,
  others: Server[],
  { port, max_held }: { port: number; max_held: number },
): Promise<void> {
  const { held, release } = holdConnections(server, max_held);
  const began_ms = performance.now();
  let came_ms = began_ms;
  for (let may_close = false; !may_close;) {
    const taken = held.length;
    await wait(1);
    // Where it is unknown, nothing that came in a while is what tells it.
    const queued = countQueued(port);
    const now_ms = performance.now();
    if (held.length > taken || queued > 0) came_ms = now_ms;
    const is_calm = now_ms - came_ms >= calm_ms || (queued === 0 && now_ms - began_ms >= calm_within_ms);
    may_close = is_calm || now_ms - began_ms >= empty_within_ms;
  }
  // Not `server.close()`, which also destroys connections that happen to be idle.
  for (const one of [server, ...others]) Server.prototype.close.call(one);
  release();
}

/** Keeps connections from a server until they are released to it; those beyond a number are closed. */
function holdConnections(server: Server, max: number): { held: Socket[]; release(): void } {
  const listeners = server.rawListeners('connection') as ((socket: Socket) => void)[];
  const held: Socket[] = [];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Without a listener the error of one that its client resets would end the process.
    socket.on('error', () => undefined);
    if (held.length < max) held.push(socket);
    else socket.destroy();
  });
  return {
    held,
    release() {
      server.removeAllListeners('connection');
      for (const listener of listeners) server.on('connection', listener);
      for (const socket of held) if (!socket.destroyed) server.emit('connection', socket);
    },
  };
}

const listening_state = '0A';

/** The connections to a port that no process has accepted yet (`/proc/net/tcp`, proc(5)); 0 where that is unknown. */
function countQueued(port: number): number {
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap(readListening)
    .filter(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16) === port)
    .reduce((count, [, , , , queues = '']) => count + Number.parseInt(queues.split(':')[1] ?? '', 16), 0);
}

/** The lines of listening sockets, which are the first: a list has one for each connection of the machine. */
function readListening(path: string): string[][] {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const piece = Buffer.alloc(64 * 1024);
    const found: string[][] = [];
    let rest = '';
    for (;;) {
      // At most a page of memory at a time.
      const length = readSync(file, piece);
      const lines = (rest + piece.toString('latin1', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      const cells = lines.map((line) => line.trim().split(/ +/)).filter(([, local]) => local !== 'local_address');
      const listening = cells.filter(([, , , state]) => state === listening_state);
      found.push(...listening);
      if (length === 0 || listening.length < cells.length) return found;
    }
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * An additional listening socket whose connections go to the HTTP server (node:http, event `connection`), with the same
 * socket settings.
 */
async function listenBeside(server: FastifyInstance['server'], options: ListenOptions, log: Log): Promise<Server> {
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  other.listen(options);
  await once(other, 'listening');
  keepAccepting(other, log);
  return other;
}

/**
 * Logs a failed accept (`EMFILE`, `ECONNABORTED`; accept(2)): without a listener the error would end the process, while
 * the next connection may well succeed.
 */
function keepAccepting(server: Server, log: Log): void {
  let logged_at_ms = -Infinity;
  server.on('error', (error) => {
    if (performance.now() - logged_at_ms < accept_log_ms) return;
    logged_at_ms = performance.now();
    log.error({ err: error }, 'accepting a connection failed');
  });
}

async function requireFree(where: ListenOptions): Promise<void> {
  const probe = createServer().listen(where);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
