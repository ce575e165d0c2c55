/** A proxy on loopback that can be cut: what stands behind it is then gone for those who go through it, and for nobody else. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Ends all connections and takes no new ones until `restore`. */
  cut(): void;
  /** Keeps all connections and takes new ones, and passes nothing on until `resume`, as a peer that stands still. */
  stall(): void;
  resume(): void;
  restore(): void;
  close(): Promise<void>;
};

/** Starts a proxy to a port of loopback, or to a unix socket by its path; a function is asked for it at each new connection. */
export async function startTcpProxy(target: number | string | (() => number)): Promise<TcpProxy> {
  let is_cut = false;
  let is_stalled = false;
  const open = new Set<Socket>();
  const pairs = new Set<[near: Socket, far: Socket]>();
  const halt = ([near, far]: [Socket, Socket]) => {
    near.unpipe(far).pause();
    far.unpipe(near).pause();
  };
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (is_cut) {
      near.destroy();
      return;
    }
    const to = typeof target === 'function' ? target() : target;
    const far = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
    keep(far);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    if (!is_stalled) near.pipe(far).pipe(near);
    near.once('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = () => open.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      is_cut = true;
      endAll();
    },
    stall() {
      is_stalled = true;
      pairs.forEach(halt);
    },
    resume() {
      is_stalled = false;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
    restore() {
      is_cut = false;
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
