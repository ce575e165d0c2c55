/** Encodings of what the service sends besides answers of its API (RFC 9110, section 8.4). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPreferences } from '../../kernel/language/preferences.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The smallest encoding that the client accepts. */
export function encodingFor({ headers }: FastifyRequest): Encoding {
  const accepted = readPreferences(String(headers['accept-encoding'] ?? ''));
  return (['br', 'gzip'] as const).find((one) => accepted.includes(one)) ?? 'identity';
}

/** Qualities of Brotli: for each request faster than gzip and still smaller, and once as small as in a tenth of a second. */
const quality_for_request = 4;
const quality_for_all = 9;

async function encode(text: string, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return Buffer.from(text);
  if (encoding === 'gzip') return promisify(gzip)(text);
  return promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

async function sendBytes(reply: FastifyReply, encoding: Encoding, bytes: Promise<Buffer>): Promise<FastifyReply> {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await bytes);
}

/** Sends a text that was written for this request, in the smallest encoding that its client accepts. */
export async function sendEncoded(reply: FastifyReply, text: string): Promise<FastifyReply> {
  const encoding = encodingFor(reply.request);
  return sendBytes(reply, encoding, encode(text, encoding, quality_for_request));
}

/** Sends a text that never changes in the same way, and encodes it once. @param read returns it */
export function createEncodedSender(read: () => string): (reply: FastifyReply) => Promise<FastifyReply> {
  const encoded = new Map<Encoding, Promise<Buffer>>();
  return async (reply) => {
    const encoding = encodingFor(reply.request);
    const bytes = encoded.get(encoding) ?? encode(read(), encoding, quality_for_all);
    encoded.set(encoding, bytes);
    return sendBytes(reply.header('vary', 'Accept-Encoding'), encoding, bytes);
  };
}
