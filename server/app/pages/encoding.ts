/** Encodings of what the service sends besides answers of its API (RFC 9110, section 8.4). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, matchesEtag } from '../../kernel/etag.ts';
import { readPreferences } from '../../kernel/language/preferences.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** The smallest encoding that the client accepts. */
function encodingFor({ headers }: FastifyRequest): Encoding {
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

/**
 * Sends a text that never changes, or 304 to a client that has it. Each encoding is made once and has its own entity tag,
 * since its bytes differ (RFC 9110, section 8.8.3.3).
 * @param read returns the text; called when it is first requested
 */
export function createEncodedSender(read: () => string): (reply: FastifyReply) => Promise<FastifyReply> {
  const variants = new Map<Encoding, { etag: string; bytes: Promise<Buffer> }>();
  const makeVariant = (encoding: Encoding) => {
    const text = read();
    return { etag: etagOf(`${encoding}\n${text}`), bytes: encode(text, encoding, quality_for_all) };
  };
  return async (reply) => {
    const encoding = encodingFor(reply.request);
    const variant = variants.get(encoding) ?? makeVariant(encoding);
    variants.set(encoding, variant);
    reply.headers({ etag: variant.etag, vary: [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ') });
    if (matchesEtag(reply.request.headers['if-none-match'], variant.etag)) return reply.status(304).send();
    return sendBytes(reply, encoding, variant.bytes);
  };
}
