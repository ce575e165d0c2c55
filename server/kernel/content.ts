/** Content of a known size: sent whole, as a range, or as headers only (RFC 9110, sections 13 and 14). */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../engines/ports.ts';
import { fail, found } from './errors.ts';
import { matchesEtag } from './etag.ts';

/** Content that is immutable under its tag. */
export type Content = {
  size_bytes: number;
  /** A strong entity tag, with its quotes. */
  etag: string;
  /** Reads all of it or a range; undefined when it has been deleted. */
  open(range?: ByteRange): Promise<Readable | undefined>;
};

/**
 * Parses the Range header. Anything but a single range of bytes is answered with the whole content, as RFC 9110 allows;
 * `none` is a range outside of the content.
 */
function readRange(header: string | undefined, size_bytes: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    if (Number(last) === 0) return 'none';
    return size_bytes === 0 ? 'whole' : { first: Math.max(0, size_bytes - Number(last)), last: size_bytes - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  if (Number(first) >= size_bytes) return 'none';
  return { first: Number(first), last: last === '' ? size_bytes - 1 : Math.min(Number(last), size_bytes - 1) };
}

/**
 * Prepares the answer to a GET or HEAD request for content: status, headers and body.
 * @throws ApiError `range_not_satisfiable`, or `not_found` when the content was deleted
 */
export async function answerContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<{ status: number; stream: Readable | undefined }> {
  const { size_bytes, etag } = content;
  const { headers } = request;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  if (matchesEtag(headers['if-none-match'], etag)) {
    reply.removeHeader('content-type');
    return { status: 304, stream: undefined };
  }
  // Ranges apply to GET only (section 14.2); HEAD describes the whole content.
  if (request.method === 'HEAD') {
    reply.header('content-length', String(size_bytes));
    return { status: 200, stream: Readable.from([]) };
  }
  const if_range = headers['if-range'];
  const is_current = if_range === undefined || if_range === etag;
  const range = is_current ? readRange(headers.range, size_bytes) : 'whole';
  if (range === 'none') fail('range_not_satisfiable', { headers: { 'content-range': `bytes */${size_bytes}` } });
  if (range === 'whole') {
    const stream = found(await content.open());
    reply.header('content-length', String(size_bytes));
    return { status: 200, stream };
  }
  const stream = found(await content.open(range));
  reply.headers({
    'content-length': String(range.last - range.first + 1),
    'content-range': `bytes ${range.first}-${range.last}/${size_bytes}`,
  });
  return { status: 206, stream };
}
