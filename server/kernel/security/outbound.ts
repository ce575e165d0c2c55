/**
 * Requests to user-supplied addresses (SSRF protection): https to public hosts only, checked at the time of connecting.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 ranges that are not public (IANA IPv4 Special-Purpose Address Registry). */
const not_public_v4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Ranges within global unicast (2000::/3) that are for documentation or embed an IPv4 address. */
const not_public_v6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [address, bits] of not_public_v4) refused.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of not_public_v6) refused.addSubnet(address, bits, 'ipv6');
const global_unicast = new BlockList();
global_unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  if (version === 6) return global_unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
  return false;
}

/**
 * Whether an address may be requested, as far as the URL shows: https on an ordinary port, no credentials, no private
 * IP address.
 */
export function isOutboundUrl(text: string, allow_loopback = false): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash, hostname, port } = new URL(text);
  if (protocol !== 'https:' || username !== '' || password !== '' || hash !== '') return false;
  // Other ports may belong to services other than web servers; `port` is empty for 443.
  if (port !== '' && port !== '8443' && !allow_loopback) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isAllowed(host, allow_loopback);
  return allow_loopback || (host.includes('.') && !/(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host));
}

/** An address that must not be connected to. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not a host of the public internet`);
    this.name = 'ForbiddenAddressError';
  }
}

/**
 * An agent that connects to public addresses only. Resolved addresses are checked here, at the time of use, because a
 * name may resolve differently a moment later (DNS rebinding). IP literals are never resolved: callers check them with
 * `isOutboundUrl`.
 */
export function createOutboundAgent({
  allow_loopback = false,
  ca,
}: { allow_loopback?: boolean; ca?: string } = {}): Agent {
  const resolve: LookupFunction = (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const first = addresses?.[0];
      if (error || !first) return answer(error ?? new ForbiddenAddressError(host), '', 0);
      if (!addresses.every(({ address }) => isAllowed(address, allow_loopback)))
        return answer(new ForbiddenAddressError(host), '', 0);
      if (options.all) return answer(null, addresses);
      return answer(null, first.address, first.family);
    });
  };
  return new Agent({ lookup: resolve, keepAlive: true, maxSockets: 16, ...(ca ? { ca } : {}) });
}

function isAllowed(address: string, allow_loopback: boolean): boolean {
  return isPublicAddress(address) || (allow_loopback && (address === '::1' || address.startsWith('127.')));
}
