/** ICE over TCP for clients whose network blocks UDP: packets in length-prefixed frames (RFC 4571). */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkOf } from '../client-network.ts';
import { LIMITS } from '../limits.ts';
import type { TransportTuple, TransportOwner } from './transport-tuple.ts';

/** A connection of a client; `owner` is undefined until a connectivity check has named its agent. */
export type FramedConnection = { tuple: TransportTuple; owner: TransportOwner | undefined; socket: Socket };

function serve(socket: Socket, receive: (data: Buffer, connection: FramedConnection) => void): void {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  const tuple: TransportTuple = {
    address: socket.remoteAddress ?? '',
    port: socket.remotePort ?? 0,
    send(data) {
      // A slow connection loses packets, as with UDP; only so can it catch up.
      if (socket.destroyed || socket.writableLength > LIMITS.tcp_buffered_bytes) return;
      const length = Buffer.allocUnsafe(2);
      length.writeUInt16BE(data.length);
      socket.cork();
      socket.write(length);
      socket.write(data);
      socket.uncork();
    },
  };
  const connection: FramedConnection = { tuple, owner: undefined, socket };
  const nameless = setTimeout(() => {
    if (!connection.owner) socket.destroy();
  }, LIMITS.tcp_unidentified_ms);
  // Consent is checked every few seconds (RFC 7675), so that a silent connection is dead.
  socket.setTimeout(LIMITS.tcp_silence_ms, () => socket.destroy());
  socket.once('close', () => clearTimeout(nameless));
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let at = 0;
    while (rest.length - at >= 2 && !socket.destroyed) {
      const length = rest.readUInt16BE(at);
      if (length > LIMITS.tcp_frame_bytes) return void socket.destroy();
      if (rest.length - at - 2 < length) break;
      receive(rest.subarray(at + 2, at + 2 + length), connection);
      at += 2 + length;
    }
    rest = rest.subarray(at);
  });
}

/** Listens for framed connections. @throws the listen error of node:net */
export async function listenForFrames(
  address: string,
  port: number,
  receive: (data: Buffer, connection: FramedConnection) => void,
): Promise<Server> {
  /** The open connections, and the networks of their clients. */
  const sockets = new Map<Socket, string>();
  const server = createServer((socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const from_there = [...sockets.values()].filter((other) => other === network).length;
    if (sockets.size >= LIMITS.tcp_connections || from_there >= LIMITS.tcp_connections_per_address)
      return void socket.destroy();
    sockets.set(socket, network);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, receive);
  });
  const close = server.close.bind(server);
  // The connections close with the port.
  server.close = (callback) => {
    for (const socket of sockets.keys()) socket.destroy();
    return close(callback);
  };
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}
