/** The UDP port of all media connections, and the TCP port beside it (RFC 6544): maps each packet to its connection. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, type Socket, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { LIMITS } from '../limits.ts';
import { isStun, readBindingRequest } from './stun.ts';
import type { TransportTuple, TransportOwner } from './transport-tuple.ts';
import type { Candidate } from '../sdp/sdp-writer.ts';
import { listenForFrames } from './tcp-framing.ts';

/** Where media is received. */
export type MediaPortOptions = {
  /**
   * The addresses that clients send media to. A single address of this machine is the only one bound; others are
   * announced instead of our own of the same family, as behind NAT. None: every address of the machine except loopback.
   */
  node_ips: string[];
  /**
   * When only clients of this machine are served, at loopback: binds another address of it as well, and accepts only
   * packets from this machine there. Firefox pairs no candidate with loopback.
   */
  for_this_machine?: boolean;
  /** 0 takes any free port. */
  udp_port: number;
  /** 0 takes any free port; undefined: no TCP. */
  tcp_port: number | undefined;
};

const BUFFER_BYTES = 4 * 1024 * 1024;
const PORT_TRIES = 20;

/** The reachable addresses of this machine; loopback only if there are no others. */
export function findAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  return outside.length > 0 ? outside.map(({ address }) => address) : ['127.0.0.1'];
}

const listOwnAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address)));

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.');

/** An address of this machine other than loopback, if any: IPv4 first, which every client supports. */
function findNearAddress(): string | undefined {
  const all = findAddresses().filter((ip) => !isLoopback(ip));
  return all.find((ip) => !isIPv6(ip)) ?? all[0];
}

async function bindUdp(address: string, port: number): Promise<UdpSocket> {
  const family = isIPv6(address) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    // Destinations are IP addresses, never names: the default lookup would delay every packet.
    lookup: (host, _options, callback) => callback(null, host, family),
  });
  // There is no lookup to wait for, so that it may listen at once.
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  await listening;
  try {
    // Large enough for a burst of key frames; the system may grant less.
    socket.setRecvBufferSize(BUFFER_BYTES);
    socket.setSendBufferSize(BUFFER_BYTES);
  } catch {
    // The default buffer sizes are used.
  }
  return socket;
}

/**
 * Binds all addresses to one port. With port 0 the first address chooses it, and another is tried when it is in use on
 * the others.
 */
async function bindAll(addresses: string[], port: number): Promise<UdpSocket[]> {
  for (let tries = 1; ; tries++) {
    const sockets: UdpSocket[] = [];
    try {
      for (const address of addresses) sockets.push(await bindUdp(address, sockets[0]?.address().port ?? port));
      return sockets;
    } catch (error) {
      for (const socket of sockets) socket.close();
      if (port !== 0 || tries === PORT_TRIES) throw error;
    }
  }
}

/** A tuple, the connection that it belongs to, and when that last proved it by a check, in ms of `performance.now()`. */
type OwnedTuple = { owner: TransportOwner; tuple: TransportTuple; checked_at_ms: number };

/** Receives for all media connections of one thread. */
export class MediaPort {
  readonly #by_ufrag = new Map<string, TransportOwner>();
  readonly #owners = new Map<string, OwnedTuple>();
  /** The tuples of each owner, the newest last. */
  readonly #keys = new Map<TransportOwner, string[]>();
  readonly #udp: UdpSocket[];
  readonly #tcp: Server[];
  readonly #announced_ips: string[];
  /** The socket for clients of this machine only, and its addresses. */
  readonly #near: { socket: UdpSocket; senders: Set<string> } | undefined;
  #closed = false;
  packets_in = 0;

  /**
   * Opens the ports.
   * @param onError called when accepting a connection fails
   * @throws the error of node:dgram or node:net, for example when a port is in use
   */
  static async open(
    { node_ips, for_this_machine, udp_port, tcp_port }: MediaPortOptions,
    onError: (error: Error) => void = () => undefined,
  ): Promise<MediaPort> {
    const own = listOwnAddresses();
    const is_own = node_ips.length === 1 && own.has(node_ips[0] ?? '');
    const addresses = is_own ? node_ips : findAddresses();
    const near = for_this_machine && is_own && isLoopback(node_ips[0] ?? '') ? findNearAddress() : undefined;
    const sockets = await bindAll(near === undefined ? addresses : [...addresses, near], udp_port);
    const port = new MediaPort(sockets, is_own ? [] : node_ips, near === undefined ? undefined : own);
    if (tcp_port !== undefined) {
      try {
        for (const address of addresses) {
          const taken = port.#tcp[0]?.address();
          const chosen = typeof taken === 'object' && taken ? taken.port : tcp_port;
          const server = await listenForFrames(address, chosen, (data, tuple) => port.#receiveFrame(data, tuple));
          // A failed accept (EMFILE, ECONNABORTED) costs one connection, not the server.
          server.on('error', onError);
          port.#tcp.push(server);
        }
      } catch (error) {
        await port.close();
        throw error;
      }
    }
    return port;
  }

  /** @param senders the only senders that the last socket accepts; undefined: everybody */
  private constructor(sockets: UdpSocket[], announced_ips: string[], senders: Set<string> | undefined) {
    this.#udp = sockets;
    this.#tcp = [];
    this.#announced_ips = announced_ips;
    const last = sockets.at(-1);
    this.#near = senders && last ? { socket: last, senders } : undefined;
    sockets.forEach((socket, index) => {
      socket.on('message', (data, { address, port }) =>
        this.#receiveDatagram(socket, `${index}/`, data, address, port),
      );
      // An unreachable peer is noticed by its silence.
      socket.on('error', () => undefined);
    });
  }

  /** The candidates for clients, best first. */
  candidates(): Candidate[] {
    const list = (protocol: 'udp' | 'tcp', bound: { address: string; port: number }[]) =>
      bound.flatMap(({ address, port }) => {
        const outside = this.#announced_ips.filter((ip) => isIPv6(ip) === isIPv6(address));
        return (outside.length > 0 ? outside : [address]).map((ip) => ({ ip, port, protocol }));
      });
    const tcp = this.#tcp
      .map((server) => server.address())
      .filter((entry) => typeof entry === 'object' && entry !== null);
    const all = [
      ...list(
        'udp',
        this.#udp.map((socket) => socket.address()),
      ),
      ...list('tcp', tcp),
    ];
    return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index);
  }

  register(ufrag: string, owner: TransportOwner): void {
    this.#by_ufrag.set(ufrag, owner);
  }

  /** Forgets a username fragment, so that no new tuple uses it. */
  unregister(ufrag: string): void {
    this.#by_ufrag.delete(ufrag);
  }

  /** Forgets all tuples of an owner. */
  release(owner: TransportOwner): void {
    for (const key of this.#keys.get(owner) ?? []) if (this.#owners.get(key)?.owner === owner) this.#owners.delete(key);
    this.#keys.delete(owner);
  }

  /** Assigns a tuple to an owner. An owner with many tuples keeps the newest. */
  #own(key: string, owner: TransportOwner, tuple: TransportTuple): void {
    this.#owners.set(key, { owner, tuple, checked_at_ms: performance.now() });
    const keys = this.#keys.get(owner) ?? [];
    keys.push(key);
    this.#keys.set(owner, keys);
    if (keys.length <= LIMITS.paths_per_connection) return;
    const oldest = keys.shift() ?? '';
    if (this.#owners.get(oldest)?.owner === owner && !keys.includes(oldest)) this.#owners.delete(oldest);
  }

  #receiveDatagram(socket: UdpSocket, prefix: string, data: Buffer, address: string, port: number): void {
    const key = `${prefix}${address}/${port}`;
    const known = this.#owners.get(key);
    if (known && (data[0] ?? 0) > 3) {
      this.packets_in++;
      return known.owner.receive(data, known.tuple);
    }
    if (!isStun(data)) return;
    if (socket === this.#near?.socket && !this.#near.senders.has(address)) return;
    const tuple = known?.tuple ?? { address, port, send: (out: Buffer) => this.#send(socket, out, port, address) };
    const owner = this.#check(data, tuple, known);
    if (owner && known?.owner === owner) known.checked_at_ms = performance.now();
    else if (owner) this.#own(key, owner, tuple);
  }

  /** A datagram that does not fit into the buffer is lost, like one on the network. */
  #send(socket: UdpSocket, data: Buffer, port: number, address: string): void {
    if (!this.#closed) socket.send(data, port, address);
  }

  #check(data: Buffer, tuple: TransportTuple, known?: OwnedTuple): TransportOwner | undefined {
    const request = readBindingRequest(data);
    if (!request) return undefined;
    const owner = this.#by_ufrag.get(request.local_ufrag);
    // Otherwise a participant who forges the address of another one would receive, and drop, their media.
    if (known && known.owner !== owner && performance.now() - known.checked_at_ms < LIMITS.media_silence_ms)
      return undefined;
    return owner?.check(request, tuple) ? owner : undefined;
  }

  /** A TCP connection belongs to the first owner that its frames name. */
  #receiveFrame(
    data: Buffer,
    connection: { tuple: TransportTuple; owner: TransportOwner | undefined; socket: Socket },
  ): void {
    if (isStun(data)) connection.owner = this.#check(data, connection.tuple) ?? connection.owner;
    else if (connection.owner) {
      this.packets_in++;
      connection.owner.receive(data, connection.tuple);
    } else connection.socket.destroy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#udp) socket.close();
    this.#owners.clear();
    this.#keys.clear();
    this.#by_ufrag.clear();
    await Promise.all(this.#tcp.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

const isSame = (a: Candidate, b: Candidate): boolean => a.ip === b.ip && a.port === b.port && a.protocol === b.protocol;
