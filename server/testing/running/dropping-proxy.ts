/** A proxy on loopback that forwards every request and drops some of the replies, like an unreliable connection. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type DroppingProxy = { url: string; dropped: number; close(): Promise<void> };

/**
 * Starts a proxy to a port of loopback. Every request reaches the service; `isDropped` decides whether its reply
 * arrives.
 * @param isDropped whether the next reply is dropped
 */
export async function startDroppingProxy(port: number, isDropped: () => boolean): Promise<DroppingProxy> {
  const open = new Set<Socket>();
  const proxy = { url: '', dropped: 0, close: async () => undefined as void };
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    track(client);
    track(upstream);
    let awaits_reply = false;
    client.on('data', (chunk) => {
      awaits_reply = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      // The first bytes of a reply decide for all of it: the service has executed the request.
      if (awaits_reply && isDropped()) {
        proxy.dropped += 1;
        client.destroy();
        upstream.destroy();
        return;
      }
      awaits_reply = false;
      client.write(chunk);
    });
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
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
