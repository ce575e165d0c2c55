/** A provider whose answers do not end: as much as is accepted, or little by little. */
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';

/** After so many bytes the answer ends, so that a reader without a limit reads all of it. */
const enough_bytes = 64 * 1024 * 1024;
const drip_interval_ms = 20;

/** Such a provider. */
export type EndlessServer = {
  url: string;
  /** The longest answer until now, in bytes, with what the network buffers. */
  longest(): number;
  close(): Promise<void>;
};

/** Writes spaces, which JSON permits, as fast as they are accepted. @returns how many were written */
function flood(answer: Writable): () => number {
  const piece = Buffer.alloc(64 * 1024, ' ');
  let length = 0;
  const write = () => {
    while (length < enough_bytes && !answer.destroyed) {
      length += piece.length;
      if (!answer.write(piece)) return;
    }
    answer.end('{}');
  };
  answer.on('drain', write).on('error', () => undefined);
  write();
  return () => length;
}

/** Writes a space now and then, until the reader leaves. @returns how many were written */
function drip(answer: Writable): () => number {
  let length = 0;
  const timer = setInterval(() => answer.write(' ') && (length += 1), drip_interval_ms);
  answer.once('close', () => clearInterval(timer)).on('error', () => undefined);
  return () => length;
}

/** How an answer does not end. */
export const endless_answers = { flood, drip };

/**
 * @param way how it answers
 * @param status the status of its answers
 * @param http2 whether it speaks HTTP/2, without TLS
 */
export async function startEndlessServer(
  way: keyof typeof endless_answers,
  { status = 200, http2 = false }: { status?: number; http2?: boolean } = {},
): Promise<EndlessServer> {
  const lengths: (() => number)[] = [];
  const headers = { 'content-type': 'application/json' };
  const server = http2
    ? createHttp2Server((request, response) => {
        request.resume();
        response.writeHead(status, headers);
        lengths.push(endless_answers[way](response.stream));
      })
    : createServer((request, response: ServerResponse) => {
        request.resume();
        response.writeHead(status, headers);
        lengths.push(endless_answers[way](response));
      });
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket: { destroy(): void }) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    longest: () => Math.max(0, ...lengths.map((lengthOf) => lengthOf())),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
