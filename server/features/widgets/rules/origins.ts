/** Origins of pages that may embed a widget, exactly as a browser sends them in `Origin`. */
import { invalid } from '../../../kernel/errors.ts';

/** The maximum length of a host name is 253 characters (RFC 1035, section 2.3.4). */
const max_length = 8 + 253 + 6;

/** Host names and addresses: other characters allowed by the URL standard could break out of a header. */
const host_pattern = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/**
 * Whether a text is an origin as a browser serialises it (HTML, "serialization of an origin"): `https://host[:port]`,
 * or `http://localhost[:port]` for development; without a path, default port or upper case.
 */
export function isOrigin(text: string): boolean {
  if (text.length > max_length || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !host_pattern.test(hostname)) return false;
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}

/** Origins without duplicates. @throws ApiError `validation_failed` that names `allowed_origins.N` */
export function requireOrigins(origins: string[]): string[] {
  for (const [at, origin] of origins.entries())
    if (!isOrigin(origin))
      invalid({ [`allowed_origins.${at}`]: 'must be https://host[:port] or http://localhost[:port], without a path' });
  return [...new Set(origins)];
}
