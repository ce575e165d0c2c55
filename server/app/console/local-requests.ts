/** Identifies requests from this machine: only those may use the console and read metrics. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether a text is a loopback address (RFC 1122, RFC 4291), also an IPv4-mapped one. */
export function isLoopback(ip: string): boolean {
  const plain = ip.toLowerCase().replace(/^::ffff:/, '');
  if (isIP(plain) === 4) return plain.startsWith('127.');
  return plain === '::1';
}

/**
 * Whether a request was made on this machine and to a local host name. The Host is checked, since a web page elsewhere
 * can point its own name at loopback (DNS rebinding), and so are proxy headers, since a proxy's requests come from
 * loopback whatever their origin.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const is_proxied = request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined;
  // Fastify fills `ips` where the proxy is trusted; `ip` is then the proxy's client.
  if (is_proxied && request.ips === undefined) return false;
  return isLoopback(request.ip) && isLocalName(request.headers.host ?? '');
}

/** A Host field (RFC 9110, section 7.2): `localhost` or a loopback address, with or without a port. */
function isLocalName(host: string): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  const bare = (name?.[1] ?? name?.[2] ?? '').toLowerCase();
  return bare === 'localhost' || isLoopback(bare);
}
