/** Listening: how connections are taken. */
import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type ListenOptions } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Limits } from '../load/limits.ts';
import type { Log } from '../observability/log.ts';

/** Where the system spreads the connections of one port over several sockets (SO_REUSEPORT, socket(7), Linux 3.9). */
const has_shared_ports = process.platform === 'linux';

/** Failed accepts are logged at most this often. */
const accept_log_ms = 10_000;

export type Listening = {
  port: number;
  /** Takes no more connections; those that are open stay, and those that wait to be taken are taken before. */
  close(): Promise<void>;
};

/**
 * Begins to take requests, on several sockets of one port where the system has that. From each, libuv takes one
 * connection in a turn of its loop: with a single one, whoever connects to a busy node waits for as many turns as there
 * are others before them, which is seconds, while all who are connected are served.
 * @throws the system's error when the port is taken (`EADDRINUSE`) or not allowed
 */
export async function listen(
  http: FastifyInstance,
  where: { host: string; port: number },
  limits: Limits,
  log: Log,
): Promise<Listening> {
  const options = { ...where, backlog: limits.connections_waiting, reusePort: has_shared_ports };
  // A port that is shared by its sockets would be shared with a second service, too.
  if (has_shared_ports && where.port !== 0) await requireFree(where);
  await http.listen(options);
  keepAccepting(http.server, log);
  const { address: host, port } = http.server.address() as AddressInfo;
  const others: Server[] = [];
  const count = has_shared_ports ? limits.sockets_listening : 1;
  while (others.length + 1 < count) others.push(await listenBeside(http.server, { ...options, host, port }, log));
  return {
    port,
    close: () => closeWhenQuiet(http.server, others),
  };
}

/** A turn of the event loop that is shorter leaves hardly time for a connection to come unseen. */
const short_turn_ms = 0.25;
/** How long such a turn is waited for. */
const quiet_within_ms = 1000;

/**
 * Closes listening sockets together, after a short turn in which none of them brought a connection: the system resets
 * what still waits to be taken on a closed one.
 */
async function closeWhenQuiet(server: Server, others: Server[]): Promise<void> {
  let taken = false;
  server.on('connection', () => (taken = true));
  const end_ms = performance.now() + quiet_within_ms;
  for (let quiet = false; !quiet && performance.now() < end_ms;) {
    taken = false;
    const began_ms = performance.now();
    await nextTurn();
    quiet = !taken && performance.now() - began_ms < short_turn_ms;
  }
  // Not by the method of node:http, which also cuts the connections that are idle at this moment.
  for (const one of [server, ...others]) Server.prototype.close.call(one);
}

/** A socket whose connections are those of an HTTP server (node:http, event `connection`), with the settings that its own have. */
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
  let told_at_ms = -Infinity;
  server.on('error', (error) => {
    if (performance.now() - told_at_ms < accept_log_ms) return;
    told_at_ms = performance.now();
    log.error({ err: error }, 'accepting a connection failed');
  });
}

async function requireFree(where: ListenOptions): Promise<void> {
  const probe = createServer().listen(where);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
