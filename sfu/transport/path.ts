/** A path to a client: its address at one of our ports, and the connection that it belongs to. */
import type { BindingRequest } from './stun.ts';

/** A way to a peer: its address on one of our sockets, or a TCP connection. */
export type Path = {
  readonly address: string;
  readonly port: number;
  send(data: Buffer): void;
};

/** A media connection, as the port sees it. */
export type PathOwner = {
  /** Checks a request that names the owner, and answers it. @returns whether the path is now the owner's */
  check(request: BindingRequest, path: Path): boolean;
  /** Anything but STUN from a path that is the owner's. */
  receive(data: Buffer, path: Path): void;
};
