/** Whether people outside can reach media: one line per finding. */
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { createIceServers } from '../../sfu/signal/turn.ts';
import type { Config } from '../../server/app/config/config.ts';
import { listens } from '../bench/measure.ts';
import { askAddress, tryRelay } from './stun-probe.ts';

/** The result of one check, as one line. */
export type Finding = { level: 'ok' | 'warn' | 'fail'; text: string };

/** What is as it should be. */
export const ok = (text: string): Finding => ({ level: 'ok', text });

/** Something that works, but may be unintended. */
export const warn = (text: string): Finding => ({ level: 'warn', text });

/** What does not work. */
export const fail = (text: string): Finding => ({ level: 'fail', text });

const STUN_PORT = 3_478;

/** Addresses that cannot be reached from outside (RFC 6890). */
export function isPrivate(ip: string): boolean {
  if (isIP(ip) === 6) return /^(::1$|f[cd]|fe[89ab])/i.test(ip);
  const [a = 0, b = 0] = ip.split('.').map(Number);
  return (
    [0, 10, 127].includes(a) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128)
  );
}

/** Whether only this machine or its network can reach a host. */
export const isLocalName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isPrivate(host));

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));

/** The public address of the service. */
export async function checkPublicUrl({ public_url, media_url }: Config): Promise<Finding[]> {
  const { protocol, hostname } = new URL(public_url);
  if (isLocalName(hostname))
    return [
      warn(`PUBLIC_URL is ${public_url}: only this machine or network can open it. Set the address that people type.`),
    ];
  const findings: Finding[] = [];
  if (protocol !== 'https:')
    findings.push(
      fail(`PUBLIC_URL is not https: browsers give no microphone to ${public_url}. Put a proxy with TLS before it.`),
    );
  else if (!media_url?.startsWith('wss:'))
    findings.push(
      fail(
        'Browsers open no ws: socket from an https: page. Pass one address of the proxy to MEDIA_PORT, and set MEDIA_URL to it (wss://…).',
      ),
    );
  const found = await lookup(hostname).catch(() => undefined);
  findings.push(
    found ? ok(`${hostname} is ${found.address}.`) : fail(`The name ${hostname} of PUBLIC_URL is not known to DNS.`),
  );
  const answer = await fetch(`${public_url}/health/live`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  findings.push(
    answer?.ok
      ? ok(`${public_url} answers.`)
      : warn(`${public_url} does not answer from here: the service does not run, or the proxy does not pass it on.`),
  );
  return findings;
}

/** The addresses to which clients send media. */
export function checkAddresses({ media_node_ip, public_url }: Config): Finding[] {
  const ips = media_node_ip.split(',').map((ip) => ip.trim());
  const outside = ips.filter((ip) => !isPrivate(ip));
  const announced = `Clients are told to send media to ${ips.join(' and ')}`;
  if (outside.length > 0) return [ok(`${announced}.`)];
  if (isLocalName(new URL(public_url).hostname))
    return [warn(`${announced}: enough for this machine or network, not for people outside.`)];
  return [
    fail(
      `${announced}, which nobody outside can reach. Set MEDIA_NODE_IP to the outside address of this machine or its router.`,
    ),
  ];
}

async function isUdpFree(host: string, port: number): Promise<boolean> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  try {
    const ready = Promise.race([
      once(socket, 'listening'),
      once(socket, 'error').then(([error]) => Promise.reject(error)),
    ]);
    socket.bind(port, host);
    await ready;
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

/** The ports that the service uses, whether it is running or not. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const { port, media_port, media_udp_port, media_tcp_port, trust_proxy } = config;
  const runs = await listens(port);
  const word = runs ? 'the service listens' : 'free for the service, which does not run';
  const findings: Finding[] = [];
  const outside = 'Let it through from outside.';
  const tcp: [string, number, string][] = [
    ['MEDIA_PORT', media_port, trust_proxy ? 'Let the proxy alone reach it.' : outside],
    ...(media_tcp_port === undefined ? [] : [['MEDIA_TCP_PORT', media_tcp_port, outside] as [string, number, string]]),
  ];
  for (const [name, number, way] of tcp) {
    const taken = await listens(number);
    if (taken === runs) findings.push(ok(`TCP port ${number} (${name}): ${word}. ${way}`));
    else
      findings.push(
        fail(
          runs
            ? `Nothing listens on TCP port ${number} (${name}).`
            : `TCP port ${number} (${name}) is taken by another program.`,
        ),
      );
  }
  const own = config.media_node_ip.split(',').find((ip) => ownAddresses().includes(ip.trim()));
  const udp_free = await isUdpFree(own ?? '0.0.0.0', media_udp_port);
  if (udp_free !== runs)
    findings.push(ok(`UDP port ${media_udp_port} (MEDIA_UDP_PORT): ${word}. Let it through from outside.`));
  else
    findings.push(
      fail(
        runs
          ? `Nothing listens on UDP port ${media_udp_port} (MEDIA_UDP_PORT).`
          : `UDP port ${media_udp_port} (MEDIA_UDP_PORT) is taken by another program.`,
      ),
    );
  if (media_tcp_port === undefined)
    findings.push(warn('MEDIA_TCP_PORT is off: networks that let no UDP through need a relay (TURN_URLS).'));
  return findings;
}

const targetOf = (url: string) => {
  const [, host = '', port] = /^\w+:(\[[^\]]+\]|[^:?]+)(?::(\d+))?/.exec(url) ?? [];
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port ?? STUN_PORT) };
};

/** Whether this machine is behind NAT, by its address as a STUN server sees it. */
export async function checkTranslation({ ice, media_node_ip }: Config): Promise<Finding[]> {
  const url = ice.urls.find((each) => each.startsWith('stun:')) ?? ice.urls.find((each) => each.startsWith('turn:'));
  if (url === undefined)
    return [warn('Without a stun: or turn: address in TURN_URLS nobody can say how this machine looks from outside.')];
  const { host, port } = targetOf(url);
  const seen = await askAddress(host, port);
  if (seen === undefined) return [fail(`${url} does not answer over UDP.`)];
  const announced = media_node_ip.split(',').map((ip) => ip.trim());
  if (announced.includes(seen)) return [ok(`From outside this machine is ${seen}, as clients are told.`)];
  if (ownAddresses().includes(seen))
    return [ok(`From ${host} this machine is ${seen}, an address of its own: no router translates.`)];
  return [
    fail(`From outside this machine is ${seen}, behind a router. Set MEDIA_NODE_IP=${seen} and pass its ports on.`),
  ];
}

/** The relays, each tested with credentials as clients get them. */
export async function checkRelays({ ice }: Config): Promise<Finding[]> {
  const relays = ice.urls.filter((url) => url.startsWith('turn'));
  if (relays.length === 0)
    return [
      warn('No relay (TURN_URLS): people in networks that let neither UDP nor our TCP port through cannot call.'),
    ];
  const { username = '', credential = '' } = createIceServers(ice.urls, ice.secret)('doctor').at(-1) ?? {};
  return Promise.all(
    relays.map(async (url) => {
      const { host, port } = targetOf(url);
      if (url.startsWith('turns:') || url.includes('transport=tcp'))
        return warn(`${url} is not over plain UDP and was not tried.`);
      const problem = await tryRelay(host, port, { username, credential });
      return problem === undefined
        ? ok(`${url} takes our credentials and gives a place.`)
        : fail(`${url}: ${problem}.`);
    }),
  );
}

/** A LiveKit server in place of the embedded one. */
async function checkLiveKit({ url, api_key, api_secret }: NonNullable<Config['livekit']>): Promise<Finding[]> {
  const api_url = url.replace(/^ws/, 'http');
  const answer = await fetch(api_url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (!answer?.ok) return [fail(`LIVEKIT_URL ${url} does not answer.`)];
  const rooms = await new RoomServiceClient(api_url, api_key, api_secret)
    .listRooms()
    .catch((error: unknown) => String(error));
  if (typeof rooms === 'string')
    return [fail(`LiveKit at ${url} refuses LIVEKIT_API_KEY and LIVEKIT_API_SECRET: ${rooms}`)];
  const token = new AccessToken(api_key, api_secret, { identity: 'doctor', ttl: 60 });
  token.addGrant({ roomJoin: true, room: `doctor-${randomUUID()}` });
  const validation = await fetch(`${api_url}/rtc/validate?access_token=${await token.toJwt()}`);
  const findings = [
    ok(
      `LiveKit at ${url} answers and takes our key. Which addresses and ports its media use, its own configuration says.`,
    ),
  ];
  if (validation.ok)
    findings.push(
      warn(
        `LiveKit at ${url} creates a room for anybody who joins. Set room.auto_create to false in its configuration.`,
      ),
    );
  return findings;
}

/** All checks that are possible from this machine. */
export async function examineMedia(config: Config): Promise<Finding[]> {
  const own = config.livekit
    ? [await checkLiveKit(config.livekit)]
    : [checkAddresses(config), await checkPorts(config), await checkTranslation(config)];
  return [await checkPublicUrl(config), ...own, await checkRelays(config)].flat();
}
