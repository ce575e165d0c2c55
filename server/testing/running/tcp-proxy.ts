/** A proxy on loopback that can be cut: its target is then unreachable through the proxy, and only there. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Ends all connections and rejects new ones until `restore`. */
  cut(): void;
  /** Keeps all connections and accepts new ones, and forwards nothing until `resume`, like a stalled peer. */
  stall(): void;
  resume(): void;
  restore(): void;
  close(): Promise<void>;
};

/**
 * Starts a proxy to a port of loopback, or to a unix socket by its path; a function is called at each new connection.
 */
export async function startTcpProxy(target: number | string | (() => number)): Promise<TcpProxy> {
  let is_cut = false;
  let is_stalled = false;
  const open = new Set<Socket>();
  const pairs = new Set<[client: Socket, upstream: Socket]>();
  const halt = ([client, upstream]: [Socket, Socket]) => {
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
  };
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (is_cut) {
      client.destroy();
      return;
    }
    const to = typeof target === 'function' ? target() : target;
    const upstream = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
    track(upstream);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    if (!is_stalled) client.pipe(upstream).pipe(client);
    client.once('close', () => {
      pairs.delete(pair);
      upstream.destroy();
    });
    upstream.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeConnections = () => open.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      is_cut = true;
      closeConnections();
    },
    stall() {
      is_stalled = true;
      pairs.forEach(halt);
    },
    resume() {
      is_stalled = false;
      for (const [client, upstream] of pairs) client.pipe(upstream).pipe(client);
    },
    restore() {
      is_cut = false;
    },
    async close() {
      closeConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
