/** A proxy on loopback that can be cut: what stands behind it is then gone for those who go through it, and for nobody else. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Ends all connections and takes no new ones until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
};

/** Starts a proxy to a port of loopback; a function is asked for the port at each new connection. */
export async function startTcpProxy(target: number | (() => number)): Promise<TcpProxy> {
  let is_cut = false;
  const open = new Set<Socket>();
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
    const far = connect(typeof target === 'number' ? target : target(), '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
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
