/** Push services as real servers on loopback: of browsers, of Apple and of Google. */
import { createDecipheriv, createPublicKey, hkdfSync, verify, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createSecureServer, type IncomingHttpHeaders as Http2Headers, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { test_certificate as cert, test_key as key } from './certificate.ts';

/** A received request, and replies by path or token; one with the status 0 is never sent. */
type ReceivedRequest<H> = { path: string; headers: H; body: Buffer };
type Replies = Record<string, { status: number; body?: object }>;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function listen<S extends Server>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The push service of a browser: any path is a subscription; `answers` lists the paths with another reply. */
export async function startBrowserService(answers: Replies = {}) {
  const requests: ReceivedRequest<IncomingHttpHeaders>[] = [];
  const server = await listen(
    createServer({ key, cert }, async (request, response) => {
      const path = request.url ?? '';
      requests.push({ path, headers: request.headers, body: await buffer(request) });
      const { status } = answers[path] ?? { status: 201 };
      if (status === 0) return;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    }),
  );
  return { url: `https://localhost:${portOf(server)}`, requests, close: () => closeServer(server) };
}

async function closeServer(server: Server & { closeAllConnections?(): void }): Promise<void> {
  server.closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}

/** Decrypts a message as a browser does (RFC 8188 with the keys of RFC 8291). */
export function decryptPush(body: Buffer, keys: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const id_length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + id_length);
  const encrypted = body.subarray(21 + id_length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  // A single record ends with 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** The claims of a JWT with a valid signature. @throws when it is invalid */
export function readJwt(token: string, algorithm: 'ES256' | 'RS256', public_key: string | Buffer) {
  const [head = '', body = '', signature = ''] = token.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const given = typeof public_key === 'string' ? createPublicKey(public_key) : importPoint(public_key);
  const options = algorithm === 'ES256' ? { key: given, dsaEncoding: 'ieee-p1363' as const } : given;
  const is_valid = verify('sha256', Buffer.from(`${head}.${body}`), options, Buffer.from(signature, 'base64url'));
  if (!is_valid || parse(head).alg !== algorithm) throw new Error('the signature is invalid');
  return { head: parse(head), claims: parse(body) };
}

/** A point of P-256, as VAPID names a key (RFC 8292, section 3.2). */
function importPoint(point: Buffer) {
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
}

/** Apple's service over HTTP/2. `answers` has replies by device token. */
export async function startApns(answers: Replies = {}) {
  const requests: ReceivedRequest<Http2Headers>[] = [];
  let sessions = 0;
  const server = createSecureServer({ key, cert });
  const open = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions++;
    open.add(session);
  });
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    const path = String(headers[':path']);
    requests.push({ path, headers, body: await buffer(stream) });
    const { status, body } = answers[path.split('/').at(-1) ?? ''] ?? { status: 200 };
    if (status === 0) return;
    stream.respond({ ':status': status });
    stream.end(body ? JSON.stringify(body) : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = () => {
    for (const session of open) session.destroy();
    open.clear();
  };
  return {
    url: `https://localhost:${portOf(server)}`,
    requests,
    sessions: () => sessions,
    drop,
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Google's service and its token issuer. `answers` has replies by device token. */
export async function startFcm(answers: Replies = {}) {
  const requests: {
    path: string;
    headers: IncomingHttpHeaders;
    body: { message: { token: string } & Record<string, unknown> };
  }[] = [];
  const assertions: string[] = [];
  const valid_tokens = new Set<string>();
  const server = await listen(
    createHttpServer(async (request, response) => {
      const body = await text(request);
      const reply = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.url === '/token') {
        assertions.push(new URLSearchParams(body).get('assertion') ?? '');
        const access_token = `token-${assertions.length}`;
        valid_tokens.add(access_token);
        return reply(200, { access_token, expires_in: 3600, token_type: 'Bearer' });
      }
      const sent = { path: request.url ?? '', headers: request.headers, body: JSON.parse(body) };
      requests.push(sent);
      if (!valid_tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
        return reply(401, { error: { status: 'UNAUTHENTICATED' } });
      const { status, body: answer = { name: 'projects/p/messages/1' } } = answers[sent.body.message.token] ?? {
        status: 200,
      };
      if (status === 0) return;
      return reply(status, answer);
    }),
  );
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    assertions,
    /** Makes the issued tokens invalid. */
    expire: () => valid_tokens.clear(),
    close: () => closeServer(server),
  };
}
