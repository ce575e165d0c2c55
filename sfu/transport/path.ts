/** A transport path to a client: its address at one of our ports, and the connection that it belongs to. */
import type { BindingRequest } from './stun.ts';

/** A path to a peer: its address on one of our sockets, or a TCP connection. */
export type Path = {
  readonly address: string;
  readonly port: number;
  send(data: Buffer): void;
};

/** A media connection, as the port sees it. */
export type PathOwner = {
  /**
   * Verifies a binding request that names the owner, and answers it.
   * @returns whether the path now belongs to the owner
   */
  check(request: BindingRequest, path: Path): boolean;
  /** Anything but STUN on a path of the owner. */
  receive(data: Buffer, path: Path): void;
};
