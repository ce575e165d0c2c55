/**
 * An ICE-lite agent (RFC 8445, 2.5): answers connectivity checks, and sends to the tuple that its peer nominated last.
 */
import { randomBytes } from 'node:crypto';
import type { MediaPort } from './media-port.ts';
import type { TransportTuple, TransportOwner } from './transport-tuple.ts';
import { LIMITS } from '../limits.ts';
import { writeBindingResponse, type BindingRequest } from './stun.ts';

/** The username fragment and password of one side (RFC 8445, 5.3). */
export type IceCredentials = { ufrag: string; password: string };

const createCredentials = (): IceCredentials => ({
  ufrag: randomBytes(6).toString('base64'),
  password: randomBytes(18).toString('base64'),
});

/** What an agent reports. */
export type IceEvents = {
  /** The first tuple to the peer is available. */
  onPath(): void;
  /** DTLS, SRTP or SRTCP. */
  onData(data: Buffer): void;
  onError(error: unknown): void;
};

/** One agent: one media connection. */
export class IceLiteAgent implements TransportOwner {
  readonly #port: MediaPort;
  readonly #events: IceEvents;
  /** Newest first; those from before a restart are valid until the next one. */
  #credentials: IceCredentials[] = [createCredentials()];
  #tuple: TransportTuple | undefined;
  #closed = false;
  /** The address that each of the latest transactions came from, the newest last. */
  readonly #transactions = new Map<string, string>();
  /** When the peer last sent a valid check, in ms of `performance.now()`. */
  seen_at_ms = performance.now();

  constructor(port: MediaPort, events: IceEvents) {
    this.#port = port;
    this.#events = events;
    this.#port.register(this.credentials.ufrag, this);
  }

  get credentials(): IceCredentials {
    return this.#credentials[0] as IceCredentials;
  }

  /** Creates new credentials (RFC 8445, 9). Media use the old tuple until the peer has nominated a new one. */
  restart(): void {
    this.#credentials.unshift(createCredentials());
    for (const { ufrag } of this.#credentials.splice(2)) this.#port.unregister(ufrag);
    this.#port.register(this.credentials.ufrag, this);
  }

  check(request: BindingRequest, tuple: TransportTuple): boolean {
    const known = this.#credentials.find(({ ufrag }) => ufrag === request.local_ufrag);
    if (!known || this.#closed || !request.isSignedWith(known.password)) return false;
    if (this.#isRepeatedElsewhere(request, tuple)) return false;
    this.seen_at_ms = performance.now();
    tuple.send(writeBindingResponse(request.transaction, tuple.address, tuple.port, known.password));
    const is_first = this.#tuple === undefined;
    // A peer whose network or NAT binding has changed nominates another tuple.
    if (is_first || request.use_candidate) this.#tuple = tuple;
    if (is_first) this.#events.onPath();
    return true;
  }

  /**
   * Whether a check came from another address before: somebody who has seen it on its way, without the password, would have the
   * media sent to themselves. A peer repeats a check from the same address only (RFC 8489, 6.2.1).
   */
  #isRepeatedElsewhere({ transaction }: BindingRequest, { address, port }: TransportTuple): boolean {
    const id = transaction.toString('latin1');
    const from = `${address}/${port}`;
    const first = this.#transactions.get(id);
    if (first !== undefined) return first !== from;
    this.#transactions.set(id, from);
    if (this.#transactions.size <= LIMITS.checks_remembered) return false;
    const [oldest = ''] = this.#transactions.keys();
    this.#transactions.delete(oldest);
    return false;
  }

  receive(data: Buffer): void {
    try {
      this.#events.onData(data);
    } catch (error) {
      // A packet that makes a parser throw is dropped like any malformed one: it harms only its sender.
      this.#events.onError(error);
    }
  }

  /** Sends a packet; without a tuple to the peer it is lost. */
  send(data: Buffer): void {
    this.#tuple?.send(data);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { ufrag } of this.#credentials) this.#port.unregister(ufrag);
    this.#port.release(this);
    this.#tuple = undefined;
  }
}
