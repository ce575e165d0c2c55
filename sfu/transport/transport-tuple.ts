/** A transport tuple to a client: its address at one of our ports, and the connection that it belongs to. */
import type { BindingRequest } from './stun.ts';

/** A tuple to a peer: its address on one of our sockets, or a TCP connection. */
export type TransportTuple = {
  readonly address: string;
  readonly port: number;
  send(data: Buffer): void;
};

/** A media connection, as the port sees it. */
export type TransportOwner = {
  /**
   * Verifies a binding request that names the owner, and answers it.
   * @returns whether the tuple now belongs to the owner
   */
  check(request: BindingRequest, tuple: TransportTuple): boolean;
  /** Anything but STUN on a tuple of the owner. */
  receive(data: Buffer, tuple: TransportTuple): void;
};
