/** Which requests come from this very machine: the console and metrics answer those alone. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether a text is an address of this machine's loopback (RFC 1122, RFC 4291), also one mapped into IPv6. */
export function isLoopback(ip: string): boolean {
  const plain = ip.toLowerCase().replace(/^::ffff:/, '');
  if (isIP(plain) === 4) return plain.startsWith('127.');
  return plain === '::1';
}

/**
 * Whether a request was made on this machine and by a name of it. The Host counts too, since a web page elsewhere can
 * point a name of its own at loopback (DNS rebinding), and so does a proxy's mark, since its own requests come from
 * loopback whoever asked it.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  const is_proxied = request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined;
  // Fastify fills `ips` where the proxy is trusted, and `ip` is then whom the proxy was asked by.
  if (is_proxied && request.ips === undefined) return false;
  return isLoopback(request.ip) && isLocalName(request.headers.host ?? '');
}

/** A Host field (RFC 9110, section 7.2): `localhost` or a loopback address, with or without a port. */
function isLocalName(host: string): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(host);
  const bare = (name?.[1] ?? name?.[2] ?? '').toLowerCase();
  return bare === 'localhost' || isLoopback(bare);
}
