import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * The address of a client, before its request is parsed any further: that of its connection, or the last entry of
 * `X-Forwarded-For`, which the nearest proxy has added. Entries before it were written by the client.
 */
export function addressOf({ headers, socket }: IncomingMessage, trust_proxy: boolean): string {
  const forwarded = trust_proxy ? headers['x-forwarded-for'] : undefined;
  // Several such headers are joined by commas.
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return last || (socket.remoteAddress ?? '');
}

/** The first 64 bits of an IPv6 address, as numbers of 16 bits. */
function prefixOf(address: string): number[] {
  const [before = [], after] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = after ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...zeros, ...(after ?? [])].slice(0, 4).map((group) => Number.parseInt(group, 16));
}

/**
 * The networks of an address, the largest first. A provider gives a subscriber an IPv6 network of 48 to 64 bits (RFC 6177), and
 * one of 48 bits contains 65,536 of 64 bits. An IPv4 address is a network of its own, since neighbouring addresses belong to
 * other subscribers; an IPv4-mapped address (RFC 4291, section 2.5.5.2) counts as IPv4. Some proxies forward an address with
 * its port, which is ignored: it differs for each connection.
 */
export function networksOf(address: string): [string, ...string[]] {
  const key = /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address;
  if (!isIPv6(key)) return [key];
  const mapped = /^::ffff:([\d.]+)$/i.exec(key)?.[1];
  if (mapped) return [mapped];
  const [first = 0, second = 0, third = 0, fourth = 0] = prefixOf(key);
  const network = (last: number[], bits: number) =>
    `${[first, second, third, ...last].map((group) => group.toString(16)).join(':')}::/${bits}`;
  return [network([], 48), network([fourth & 0xff00], 56), network([fourth], 64)];
}

/** The smallest network of an address: IPv6 by its /64 network, anything else by itself. */
export const networkOf = (address: string): string => networksOf(address).at(-1) ?? address;
