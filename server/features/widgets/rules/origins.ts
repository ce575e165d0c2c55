/** Origins of pages that may embed a widget: what a browser sends as `Origin`, and nothing else. */
import { invalid } from '../../../kernel/errors.ts';

/** No host name is longer than 253 characters (RFC 1035, section 2.3.4). */
const max_length = 8 + 253 + 6;

/** Names and addresses of hosts: letters the URL standard lets stand beside them could leave their place in a header. */
const host_pattern = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

/**
 * Whether a text is an origin as a browser serialises it (HTML, "serialization of an origin"): `https://host[:port]`, or
 * `http://localhost[:port]` for those who build a page; without a path, the port of the scheme, or upper case.
 */
export function isOrigin(text: string): boolean {
  if (text.length > max_length || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !host_pattern.test(hostname)) return false;
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}

/** Origins, each once. @throws ApiError `validation_failed` that names `allowed_origins.N` */
export function requireOrigins(origins: string[]): string[] {
  for (const [at, origin] of origins.entries())
    if (!isOrigin(origin))
      invalid({ [`allowed_origins.${at}`]: 'must be https://host[:port] or http://localhost[:port], without a path' });
  return [...new Set(origins)];
}
