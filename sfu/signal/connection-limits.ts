/** Who may connect to the HTTP port of the media server, and how often: bounds in all, of an address and of an identity. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { createRateGate, LIMITS, type RateGate } from '../limits.ts';

/** Descriptors that are kept free of HTTP connections: media over TCP, sockets of media, files. */
const RESERVED_DESCRIPTORS = LIMITS.tcp_connections + 100;

/** How many files and sockets the system lets this process have (RLIMIT_NOFILE); undefined where it does not say. */
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

/** Counts what belongs to a key, such as an address. */
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

/** Rates by key; those that were not asked for longest are forgotten, whose bucket is full again anyhow. */
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

/** Answers the first request of a connection above a bound, and closes it. */
function refuse(socket: Socket, status: string): void {
  const cut = setTimeout(() => socket.destroy(), LIMITS.refusal_ms);
  socket.once('close', () => clearTimeout(cut));
  socket.on('error', () => socket.destroy());
  socket.once('data', () => socket.end(TOO_MANY_RESPONSE(status)));
}

/**
 * Bounds the connections of a server, in all and, where no proxy stands before it, of one address.
 * @param trust_proxy connections come from a proxy, so that their addresses say nothing
 */
export function boundConnections(server: Server, trust_proxy: boolean): void {
  const most = countConnections();
  const by_address = new Counts();
  let open = 0;
  let refused = 0;
  const take = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const is_address_full = !trust_proxy && by_address.get(address) >= LIMITS.connections_per_address;
    if (open < most && !is_address_full) {
      open += 1;
      socket.once('close', () => (open -= 1));
      by_address.addUntilClosed(address, socket);
      socket.setNoDelay(true);
      for (const listener of take) listener.call(server, socket);
      return;
    }
    if (refused >= LIMITS.connections_refused) return void socket.destroy();
    refused += 1;
    socket.once('close', () => (refused -= 1));
    refuse(socket, is_address_full ? '429 Too Many Requests' : '503 Service Unavailable');
  });
}

/** Bounds signal sockets and joins, of one address and of one identity. */
export class SignalAdmission {
  readonly #trust_proxy: boolean;
  readonly #by_address = new Counts();
  readonly #by_identity = new Map<string, WebSocket[]>();
  readonly #address_rates = new Rates(LIMITS.joins_per_second_of_address, LIMITS.joins_burst_of_address);
  readonly #identity_rates = new Rates(LIMITS.joins_per_second_of_identity, LIMITS.joins_burst_of_identity);

  constructor(trust_proxy: boolean) {
    this.#trust_proxy = trust_proxy;
  }

  /** The address that a request came from: of a proxy's chain the entry that the nearest proxy wrote. */
  addressOf(request: IncomingMessage): string {
    const chain = this.#trust_proxy ? String(request.headers['x-forwarded-for'] ?? '') : '';
    return chain.split(',').at(-1)?.trim() || (request.socket.remoteAddress ?? '');
  }

  /** Whether somebody may open a signal socket now. */
  mayJoin(address: string, identity: string): boolean {
    return (
      this.#by_address.get(address) < LIMITS.signal_sockets_per_address &&
      this.#address_rates.take(address) &&
      this.#identity_rates.take(identity)
    );
  }

  /** Counts a socket. Of one identity the oldest gives way: its client has come back, or joined elsewhere. */
  note(socket: WebSocket, address: string, identity: string): void {
    this.#by_address.addUntilClosed(address, socket);
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
