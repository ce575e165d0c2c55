/** Listening: how connections are accepted. */
import { once } from 'node:events';
import { createServer, Server, type AddressInfo, type ListenOptions } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
    close: () => closeWhenQuiet(http.server, others),
  };
}

/** A shorter turn of the event loop hardly leaves time for a connection to arrive unnoticed. */
const short_turn_ms = 0.25;
/** How long to wait for such a turn. */
const quiet_within_ms = 1000;

/**
 * Closes listening sockets together, after a short turn in which none of them accepted a connection: the system resets
 * connections that are still queued on a closed socket.
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
  // Not `server.close()`, which also destroys connections that happen to be idle.
  for (const one of [server, ...others]) Server.prototype.close.call(one);
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
