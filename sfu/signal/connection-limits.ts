/** Connection limits of the servers for signalling: in total, per network of an address and per identity. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { networkOf } from '../client-network.ts';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';

/** File descriptors reserved for TCP media, UDP sockets and files. */
const RESERVED_DESCRIPTORS = LIMITS.tcp_connections + 100;

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

function countConnections(): number {
  const descriptors = readDescriptorLimit();
  if (descriptors === undefined) return LIMITS.connections;
  return Math.min(LIMITS.connections, Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 4)));
}

/** Counts by key, such as an address. */
class Counts {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts one more until `emitter` closes. */
  addUntilClosed(key: string, emitter: { once(event: 'close', listener: () => void): unknown }): void {
    this.#counts.set(key, this.get(key) + 1);
    emitter.once('close', () => {
      const rest = this.get(key) - 1;
      if (rest > 0) this.#counts.set(key, rest);
      else this.#counts.delete(key);
    });
  }
}

/** Rate limits by key; the least recently used are evicted, whose buckets are full again anyway. */
class Rates {
  readonly #gates = new Map<string, RateGate>();
  readonly #per_second: number;
  readonly #burst: number;

  constructor(per_second: number, burst: number) {
    this.#per_second = per_second;
    this.#burst = burst;
  }

  take(key: string): boolean {
    const gate = this.#gates.get(key) ?? createRateGate(this.#per_second, this.#burst);
    this.#gates.delete(key);
    this.#gates.set(key, gate);
    for (const oldest of this.#gates.keys()) {
      if (this.#gates.size <= LIMITS.rates_kept) break;
      this.#gates.delete(oldest);
    }
    return gate.take(performance.now());
  }
}

const TOO_MANY_RESPONSE = (status: string) =>
  `HTTP/1.1 ${status}\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;

/** Answers the first request of an excess connection, and closes it. */
function refuse(socket: Socket, status: string): void {
  const cut = setTimeout(() => socket.destroy(), LIMITS.refusal_ms);
  socket.once('close', () => clearTimeout(cut));
  socket.on('error', () => socket.destroy());
  socket.once('data', () => socket.end(TOO_MANY_RESPONSE(status)));
}

/**
 * Limits the connections of a server, in total and, unless behind a proxy, per network of an address.
 * @param trust_proxy connections come from a proxy, so that their address means nothing
 */
export function limitConnections(server: Server, trust_proxy: boolean): void {
  const max = countConnections();
  const by_network = new Counts();
  let open = 0;
  let refused = 0;
  const take = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const is_network_full = !trust_proxy && by_network.get(network) >= LIMITS.connections_per_address;
    if (open < max && !is_network_full) {
      open += 1;
      socket.once('close', () => (open -= 1));
      by_network.addUntilClosed(network, socket);
      socket.setNoDelay(true);
      for (const listener of take) listener.call(server, socket);
      return;
    }
    if (refused >= LIMITS.connections_refused) return void socket.destroy();
    refused += 1;
    socket.once('close', () => (refused -= 1));
    refuse(socket, is_network_full ? '429 Too Many Requests' : '503 Service Unavailable');
  });
}

/** Limits signal sockets and joins, per network of an address and per identity. */
export class SignalAdmission {
  readonly #trust_proxy: boolean;
  readonly #by_network = new Counts();
  readonly #by_identity = new Map<string, WebSocket[]>();
  readonly #network_rates = new Rates(LIMITS.joins_per_second_of_address, LIMITS.joins_burst_of_address);
  readonly #identity_rates = new Rates(LIMITS.joins_per_second_of_identity, LIMITS.joins_burst_of_identity);

  constructor(trust_proxy: boolean) {
    this.#trust_proxy = trust_proxy;
  }

  /** The network of a request's client: in a proxy chain, of the entry written by the nearest proxy. */
  networkOf(request: IncomingMessage): string {
    const chain = this.#trust_proxy ? String(request.headers['x-forwarded-for'] ?? '') : '';
    return networkOf(chain.split(',').at(-1)?.trim() || (request.socket.remoteAddress ?? ''));
  }

  /**
   * Whether a join or a validation is within the rates. To be called before the service is asked, which costs a
   * transaction, and only for a verified identity. The identity first, so that one in a loop does not use up the rate
   * of its network, which may be that of a whole school.
   */
  mayAsk(network: string, identity: string): boolean {
    return this.#identity_rates.take(identity) && this.#network_rates.take(network);
  }

  /** Whether a network may open another signal socket. */
  hasPlace(network: string): boolean {
    return this.#by_network.get(network) < LIMITS.signal_sockets_per_address;
  }

  /** Counts a socket. The oldest of the same identity is closed: its client has reconnected, or joined elsewhere. */
  record(socket: WebSocket, network: string, identity: string): void {
    this.#by_network.addUntilClosed(network, socket);
    const sockets = this.#by_identity.get(identity) ?? [];
    sockets.push(socket);
    this.#by_identity.set(identity, sockets);
    if (sockets.length > LIMITS.signal_sockets_per_identity) sockets[0]?.terminate();
    socket.once('close', () => {
      sockets.splice(sockets.indexOf(socket), 1);
      if (sockets.length === 0) this.#by_identity.delete(identity);
    });
  }
}

/** The budgets of one client's signals: of messages, bytes and candidates. */
export class SignalBudget {
  readonly #messages = createRateGate(LIMITS.signal_messages_per_second, LIMITS.signal_messages_burst);
  readonly #bytes = createRateGate(LIMITS.signal_bytes_per_second, LIMITS.signal_bytes_burst);
  readonly #trickles = createRateGate(LIMITS.trickles_per_second, LIMITS.trickles_burst);

  /** To be called before a frame is decoded. */
  takeBytes(now_ms: number, bytes: number): boolean {
    return this.#bytes.take(now_ms, bytes);
  }

  /** To be called with each message, by its kind. */
  takeMessage(now_ms: number, kind: string | undefined): boolean {
    return (kind === 'trickle' ? this.#trickles : this.#messages).take(now_ms);
  }
}
