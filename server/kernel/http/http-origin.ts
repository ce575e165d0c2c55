/** The origin of a request, as far as the request itself shows. */
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../caller.ts';
import { readSessionCookies } from './http-session-cookie.ts';

/** The bearer token of a request (RFC 6750); empty when the header has another scheme. */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const match = /^Bearer +(\S+) *$/i.exec(header);
  return match?.[1] ?? '';
}

/** Where a request came from. */
export function originOf(request: FastifyRequest): Origin {
  const last_event_id = request.headers['last-event-id'];
  return {
    ip: request.ip,
    device: String(request.headers['user-agent'] ?? 'unknown').slice(0, 200),
    last_event_id: typeof last_event_id === 'string' ? last_event_id : undefined,
    web_origin: request.headers.origin,
    accept_language: request.headers['accept-language'],
    if_none_match: request.headers['if-none-match'],
    ...readSessionCookies(request),
  };
}
