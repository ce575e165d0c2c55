/** Deprecation: how every answer of an operation announces that it will be removed. */
import type { onRequestHookHandler } from 'fastify';
import type { Deprecation } from './endpoint.ts';

/**
 * The headers `Deprecation` (RFC 9745: a date of structured fields, RFC 9651), `Sunset` (RFC 8594: an HTTP-date) and
 * `Link` with the relation `deprecation`.
 * @throws when a date is invalid, or the sunset is before the deprecation (RFC 9745, section 4)
 */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  const since_ms = midnightOf(since);
  const headers: Record<string, string> = { deprecation: `@${since_ms / 1000}` };
  if (sunset !== undefined) {
    const sunset_ms = midnightOf(sunset);
    if (sunset_ms < since_ms) throw new Error(`the sunset ${sunset} comes before the deprecation ${since}`);
    headers['sunset'] = new Date(sunset_ms).toUTCString();
  }
  if (link !== undefined) headers['link'] = `<${new URL(link).href}>; rel="deprecation"; type="text/html"`;
  return headers;
}

/**
 * A hook that runs before all others of a deprecated operation, so that refusals carry the headers too; none for other
 * operations.
 */
export function deprecationHooks(deprecated: Deprecation | undefined): onRequestHookHandler[] {
  if (!deprecated) return [];
  const headers = deprecationHeaders(deprecated);
  return [(_request, reply, done) => done(void reply.headers(headers))];
}

function midnightOf(date: string): number {
  const at_ms = Date.parse(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(at_ms)) throw new Error(`${date} is not a date YYYY-MM-DD`);
  return at_ms;
}
