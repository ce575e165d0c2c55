/** The limit on open connections, and the answer to a connection above it. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../errors.ts';
import type { Limits } from '../../load/limits.ts';
import { Shares } from '../../load/turns.ts';
import { networksOf } from '../../load/client-address.ts';

const busy = new ApiError('unavailable', { retry_after_s: 1 });
const busy_body = JSON.stringify(busy.envelope());
const busy_response = [
  `HTTP/1.1 ${busy.status} Service Unavailable`,
  'content-type: application/json; charset=utf-8',
  `content-length: ${Buffer.byteLength(busy_body)}`,
  `retry-after: ${busy.retry_after_s}`,
  'cache-control: no-store',
  'connection: close',
  '',
  busy_body,
].join('\r\n');

/**
 * The number of file descriptors that the system allows this process (RLIMIT_NOFILE); undefined where it is unknown.
 */
function readDescriptorLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** The maximum of open connections: the configured one, or fewer when descriptors for everything else would run out. */
function countConnections(limits: Limits): number {
  const descriptors = readDescriptorLimit();
  if (descriptors === undefined) return limits.connections;
  // Even with a very low limit of descriptors, a few connections are served.
  return Math.min(limits.connections, Math.max(descriptors - limits.descriptors_reserved, Math.floor(descriptors / 4)));
}

/**
 * Limits the open connections of a server. A connection above the limit gets a 503 for its first request and is closed;
 * when `connections_refused` of those are open, further ones are closed without an answer. A network may open another
 * while it has fewer than are free, so that none has all.
 * @param trust_proxy whether the connections are those of a proxy, which limits its clients itself
 * @returns the current number of open connections
 */
export function limitConnections(server: Server, limits: Limits, trust_proxy: boolean): () => number {
  const max = countConnections(limits);
  const networks = countByNetwork(trust_proxy);
  let open = 0;
  let refused = 0;
  // Replaces the server's own listener. Its `maxConnections` would apply to a single listening socket.
  const take = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // The client has reset it already: its requests would have no address, by which they are counted.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    open += 1;
    socket.once('close', () => (open -= 1));
    if (networks.hasRoom(socket, max)) {
      for (const listener of take) listener.call(server, socket);
      return;
    }
    if (refused >= limits.connections_refused) {
      socket.destroy();
      return;
    }
    refused += 1;
    socket.once('close', () => (refused -= 1));
    refuse(socket, limits.refusal_ms);
  });
  return () => open;
}

/** Counts the open connections of each network. Those of this machine are of a proxy, which has many clients. */
function countByNetwork(trust_proxy: boolean): { hasRoom(socket: Socket, max: number): boolean } {
  const shares = new Shares();
  return {
    /** Whether a network may have another connection, which is counted until it is closed; those of a proxy are not limited. */
    hasRoom(socket, max) {
      const { remoteAddress = '' } = socket;
      const is_of_proxy = trust_proxy || /^(?:127\.|::1$|$)/.test(remoteAddress.replace(/^::ffff:/i, ''));
      const groups = is_of_proxy ? [] : networksOf(remoteAddress);
      const has_room = shares.total < max && shares.fullLevel(groups, max) === undefined;
      shares.take(groups);
      socket.once('close', () => shares.release(groups));
      return has_room;
    },
  };
}

function refuse(socket: Socket, within_ms: number): void {
  const cut = setTimeout(() => socket.destroy(), within_ms);
  socket.once('close', () => clearTimeout(cut));
  socket.on('error', () => socket.destroy());
  socket.once('data', () => socket.end(busy_response));
}
