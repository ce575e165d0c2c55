/** Draining: a server that shuts down answers pending requests and makes its clients reconnect to other nodes. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../load/limits.ts';

/** A server that is being shut down. */
export type Drain = {
  /**
   * From now on each answer closes its connection (RFC 9112, section 9.6). Resolves when all pending requests were
   * answered and the remaining connections have been idle for a while, or at the time limit. To be called when no
   * connections are accepted any more.
   */
  finish(): Promise<void>;
};

const look_ms = 25;

/** Tracks the connections and requests of a server, from before it listens. */
export function createDrain(server: Server, { drain_ms, drain_idle_ms }: Limits): Drain {
  const open = new Set<ServerResponse>();
  /** HTTP connections, and since when each has been idle; undefined while it is busy. */
  const connections = new Map<Socket, number | undefined>();
  let draining = false;

  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  // Websockets are closed separately, with a close frame.
  server.prependListener('upgrade', (_request, socket: Socket) => connections.delete(socket));
  server.prependListener('request', (request, response) => {
    open.add(response);
    connections.set(request.socket, undefined);
    if (draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      open.delete(response);
      if (connections.has(request.socket)) connections.set(request.socket, performance.now());
    });
  });

  const isIdle = (since_ms: number | undefined) =>
    since_ms !== undefined && performance.now() - since_ms > drain_idle_ms;
  const isDone = () => open.size === 0 && [...connections.values()].every(isIdle);

  return {
    async finish() {
      draining = true;
      for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false;
      const end_ms = performance.now() + drain_ms;
      while (!isDone() && performance.now() < end_ms) await wait(look_ms);
      // Ended rather than destroyed, so that the last bytes written arrive.
      for (const socket of connections.keys()) socket.end();
      const ended_ms = performance.now();
      while (connections.size > 0 && performance.now() - ended_ms < drain_idle_ms) await wait(look_ms);
    },
  };
}
