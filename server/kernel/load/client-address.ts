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
 * whoever has a large one has up to 65,536 of the smallest. An IPv4 address is by itself, since its neighbours
 * are others; an IPv4-mapped one (RFC 4291, section 2.5.5.2) is the same, and so is any other key. Some proxies
 * forward an address with its port, which would make each connection a network of its own: the port is ignored.
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
