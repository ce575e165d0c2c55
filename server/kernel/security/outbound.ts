/** Requests to addresses that people give: https to public hosts alone, checked at the moment of connecting. */
import { lookup, type LookupAddress } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 that is not of the public internet (IANA IPv4 Special-Purpose Address Registry). */
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
/** Within global unicast (2000::/3), what is for documentation or leads to an IPv4 address of its own. */
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

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !refused.check(address, 'ipv4');
  if (version === 6) return global_unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
  return false;
}

/** Whether an address may be asked, as far as it tells by itself: https at an ordinary port, no credentials, no address of a private network. */
export function isOutboundUrl(text: string, allow_loopback = false): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash, hostname, port } = new URL(text);
  if (protocol !== 'https:' || username !== '' || password !== '' || hash !== '') return false;
  // At other ports other services than web servers may answer; `port` is empty for 443.
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
 * An agent that connects to public addresses alone. What a name resolves to is checked here, where it is used, because a
 * name may resolve to another address a moment later. A host that is an address is never resolved: callers check it by
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
