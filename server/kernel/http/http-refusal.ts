/** Refusals: every answer that is not 2xx has the same envelope, which is created here. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { languageOfRequest } from '../language/accept-language.ts';
import { translateEnvelope } from '../language/refusals.ts';
import type { Language } from '../language/i18n.ts';
import type { Services } from '../services.ts';

/** Renders what a person sees instead of the envelope when a page cannot be shown: HTML, and its headers. */
export type WriteErrorPage = (error: ApiError, language: Language) => { html: string; headers: Record<string, string> };

/**
 * Answers any error with the envelope. Unexpected errors are logged with their cause and shown as a plain 500.
 * @param writePage renders the error for a browser that requested a page
 */
export function sendError(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  writePage?: WriteErrorPage,
): void {
  const shown = toApiError(error);
  // An error without a cause means overload: it is counted, since logging each would cost more than refusing it.
  const is_shed = shown.code === 'unavailable' && !shown.cause;
  if (is_shed) services.metrics.shed.inc();
  else if (shown.status >= 500)
    services.log.error(
      { err: error, cause: shown.cause, status: shown.status, request_id: request.id, url: request.routeOptions.url },
      'request failed',
    );
  else if (shown.cause) services.log.info({ cause: shown.cause, request_id: request.id }, 'request refused');
  record(request.routeOptions.url ?? 'unknown', services, request, shown.status);
  reply.status(shown.status).headers(shown.headers).header('x-request-id', request.id);
  if (shown.retry_after_s !== undefined) reply.header('retry-after', String(shown.retry_after_s));
  if (request.routeOptions.config.cross_origin && temporary_statuses.has(shown.status)) allowOrigin(request, reply);
  const language = languageOfRequest(request);
  const page = writePage?.(shown, language);
  if (page) {
    reply.headers(page.headers).header('content-type', 'text/html; charset=utf-8').send(page.html);
    return;
  }
  if (language !== 'en') reply.header('content-language', language).header('vary', varyOf(reply));
  const envelope = translateEnvelope(shown.envelope(), language);
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(envelope));
}

/** Statuses of refusals after which a request can be repeated later. */
const temporary_statuses = new Set([429, 503]);

/** Lets the page that sent the request read the answer (Fetch, "CORS protocol"). */
function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'Origin');
  if (origin !== undefined)
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', 'Retry-After');
}

/** The existing `Vary` values and the language. */
const varyOf = (reply: FastifyReply): string => [reply.getHeader('vary') ?? [], 'Accept-Language'].flat().join(', ');

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE')
    return new ApiError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupported_media_type');
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT|^FST_(INVALID_MULTIPART|PROTO_VIOLATION)/.test(code))
    return new ApiError('bad_request', { message: 'The multipart body is not valid.', cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('bad_request', { cause: error });
  if (isOutage(error)) return new ApiError('unavailable', { cause: error, retry_after_s: 2 });
  return new ApiError('internal_error', { cause: error });
}

/**
 * Whether an error means that the database, the storage, another server, the disk or the process (out of descriptors) is
 * unavailable, as opposed to a bad request.
 */
export function isOutage(error: unknown): boolean {
  const {
    code = '',
    name,
    syscall,
    message = '',
    is_outage,
  } = error as Partial<NodeJS.ErrnoException & { is_outage: boolean }>;
  // An engine says so, or a server does not answer in time.
  if (is_outage === true || name === 'TimeoutError') return true;
  // 40: deadlock; 53: out of resources; 57014: statement timeout; 57P: shutting down; 25P03: idle too long; 08: connection
  // lost (PostgreSQL, appendix A).
  if (/^(40|53|57014|57P|25P03|08)|^ECONN|^EPIPE|^ENOSPC|^EDQUOT|^EMFILE|^ENFILE/.test(code)) return true;
  // A server that cannot be reached, or whose name cannot be resolved.
  if (/^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EAI_AGAIN|ENOTFOUND)$/.test(code)) return true;
  // The socket of a server that is being restarted does not exist for a moment.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  // Driver errors for broken, closed or slow connections have no code.
  return /^Connection terminated|is not queryable$|^Query read timeout|^timeout (expired|exceeded)|^Cannot use a pool after/.test(
    message,
  );
}

/** Records an answered request in the metrics, and releases its place among the running requests. */
export function record(operation: string, services: Services, request: FastifyRequest, status: number): void {
  if (!request.admitted) return;
  request.admitted.leave?.();
  services.metrics.observeRequest(operation, status, (performance.now() - request.admitted.started_ms) / 1000);
}

/** Bytes that are not HTTP also get the envelope. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Browsers preconnect, and would take an answer on an unused connection for that of their next request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = JSON.stringify(
    new ApiError('bad_request', {
      message: late ? 'The request took too long to arrive.' : 'This is not a valid HTTP request.',
    }).envelope(),
  );
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** A refusal of a token, with its challenge header (RFC 6750, section 3). */
export function unauthorized(code: 'unauthenticated' | 'token_invalid'): ApiError {
  const challenge = code === 'token_invalid' ? 'Bearer error="invalid_token"' : 'Bearer';
  return new ApiError(code, { headers: { 'www-authenticate': challenge } });
}
