/** A proxy on loopback that lets every request through and drops some of the answers, as a bad line does. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type DroppingProxy = { url: string; dropped: number; close(): Promise<void> };

/**
 * Starts a proxy to a port of loopback. A request reaches the service in any case; whether its answer arrives is drawn.
 * @param isDropped whether the next answer is lost
 */
export async function startDroppingProxy(port: number, isDropped: () => boolean): Promise<DroppingProxy> {
  const open = new Set<Socket>();
  const proxy = { url: '', dropped: 0, close: async () => undefined as void };
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    keep(near);
    keep(far);
    let awaits_answer = false;
    near.on('data', (chunk) => {
      awaits_answer = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      // The first bytes of an answer decide for all of it: the service has done what it was asked.
      if (awaits_answer && isDropped()) {
        proxy.dropped += 1;
        near.destroy();
        far.destroy();
        return;
      }
      awaits_answer = false;
      near.write(chunk);
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.close = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    if (server.listening) await once(server, 'close');
  };
  return proxy;
}
