/** Draining: a server that is about to end answers what it has been asked, and hands its clients on to another. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../load/limits.ts';

export type Drain = {
  /**
   * From now on each answer ends its connection (RFC 9112, section 9.6). Resolves when all that was asked is answered and
   * what stays open has been idle for a while, or when the time for that is over. To be called when nothing is accepted any more.
   */
  finish(): Promise<void>;
};

const look_ms = 25;

/** Watches the connections and requests of a server, from before it listens. */
export function createDrain(server: Server, { drain_ms, drain_idle_ms }: Limits): Drain {
  const open = new Set<ServerResponse>();
  /** Connections that carry requests, and since when each has been idle; undefined while it is not. */
  const connections = new Map<Socket, number | undefined>();
  let draining = false;

  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  // What becomes of a websocket is told to it in its own words.
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
      // Ended rather than cut, so that what was written last arrives.
      for (const socket of connections.keys()) socket.end();
      const ended_ms = performance.now();
      while (connections.size > 0 && performance.now() - ended_ms < drain_idle_ms) await wait(look_ms);
    },
  };
}
