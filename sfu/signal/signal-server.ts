/** What the HTTP servers for signalling share: limits on slow clients and on connections, and the check of the host. */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { limitConnections } from './connection-limits.ts';
import { hasValidHost } from './http-host.ts';
import { LIMITS } from '../limits.ts';
import { createThrottledLog } from '../throttled-log.ts';

/** What the server does with requests, which have a valid host. */
export type SignalServerOptions = {
  answer(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether connections come from a proxy, which puts the client's address into `X-Forwarded-For`. */
  trust_proxy: boolean;
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
  /** Time limits other than the default ones. */
  times?: SignalTimes | undefined;
};

/** The time limits of a server. */
export type SignalTimes = Pick<ServerOptions, 'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval'>;

/** Browsers send requests from pages of another origin. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
};

/** Rejects a websocket upgrade. */
export function refuseUpgrade(socket: Duplex, status: string, text: string): void {
  // A client that keeps its half open would hold the connection.
  socket.once('finish', () => socket.destroy());
  const cors = Object.entries(CORS)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(
    `HTTP/1.1 ${status}\r\n${cors}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Creates a server, which the caller makes listen. */
export function createSignalServer({ answer, upgrade, trust_proxy, log, times }: SignalServerOptions): Server {
  const limits: ServerOptions = {
    requestTimeout: LIMITS.request_timeout_ms,
    headersTimeout: LIMITS.headers_timeout_ms,
    connectionsCheckingInterval: LIMITS.late_check_ms,
    keepAliveTimeout: LIMITS.keep_alive_timeout_ms,
    ...times,
  };
  const server = createServer(limits, (request, response) => {
    if (hasValidHost(request)) return answer(request, response);
    response.writeHead(400, { ...CORS, 'content-type': 'text/plain', connection: 'close' }).end('invalid host');
  });
  limitConnections(server, trust_proxy);
  const report = createThrottledLog((message, details) => log('error', message, details));
  // A failed accept (EMFILE, ECONNABORTED) costs one connection, not the server.
  server.on('error', (error) => report('accepting a connection failed', { error: String(error) }));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (hasValidHost(request)) upgrade(request, socket, head);
    else refuseUpgrade(socket, '400 Bad Request', 'invalid host');
  });
  return server;
}

/** Closes a server and its signal sockets. @param code the close code for their clients (RFC 6455, section 7.4) */
export async function closeSignalServer(server: Server, sockets: WebSocketServer, code: number): Promise<void> {
  for (const socket of sockets.clients) socket.close(code);
  // Clients answer the close frame at once; others are disconnected.
  const cut = setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), 500);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
