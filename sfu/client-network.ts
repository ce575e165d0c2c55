/** Whose connections and joins are counted together. */
import { isIPv6 } from 'node:net';

/**
 * The network of an address, as the service counts connections: an IPv4 address by itself, also as IPv4-mapped IPv6, and
 * an IPv6 address by its /48, the largest that a provider gives a subscriber (RFC 6177). The port that some proxies
 * forward with an address is ignored.
 */
export function networkOf(address: string): string {
  const key = /^([\d.]+):\d+$/.exec(address)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address;
  if (!isIPv6(key)) return key;
  const mapped = /^::ffff:([\d.]+)$/i.exec(key)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after] = key.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = after ? [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after] : before;
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}
