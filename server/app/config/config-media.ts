/** Configuration of media. */
import { isIP } from 'node:net';
import { default_limits } from '../../kernel/load/limits.ts';
import type { Reader } from './reader.ts';

/** The configuration of the embedded media server, and of the media addresses that clients get. */
export type MediaConfig = {
  /** The TCP port for call signalling: of the embedded media server, or of the gateway to LiveKit. */
  media_port: number;
  media_udp_port: number;
  /** Undefined: no media over TCP. */
  media_tcp_port: number | undefined;
  /** The addresses, separated by commas, that clients send media to. */
  media_node_ip: string;
  /** No address for media was configured: loopback is used, so that only clients on this machine are served. */
  media_for_this_machine: boolean;
  /** The signalling address for clients, where that is not MEDIA_PORT itself. */
  media_url: string | undefined;
  /** The number of threads for the rooms of the embedded media server. */
  media_threads: number;
  ice: { urls: string[]; secret: string | undefined };
};

/** The variables of it, for the table that `npm start -- --help` prints. */
export const media_variables = [
  {
    name: 'MEDIA_PORT',
    default: 'PORT + 1',
    meaning: 'TCP port on HOST for the signalling of calls: of the embedded media server, or of the gateway to LiveKit',
  },
  { name: 'MEDIA_UDP_PORT', default: 'MEDIA_PORT', meaning: 'UDP port of the embedded media server for media' },
  {
    name: 'MEDIA_TCP_PORT',
    default: 'MEDIA_PORT + 1',
    meaning: 'TCP port for media where UDP is blocked; off for none',
  },
  {
    name: 'MEDIA_THREADS',
    default: '1',
    meaning: 'threads over which rooms are spread; each beyond the first uses the next UDP and TCP port',
  },
  {
    name: 'MEDIA_NODE_IP',
    default: 'HOST',
    meaning: 'comma-separated public addresses of the embedded media server',
  },
  {
    name: 'MEDIA_URL',
    default: 'ws: on the host of PUBLIC_URL and MEDIA_PORT',
    meaning: 'ws: or wss: address that a proxy forwards to MEDIA_PORT; https: pages need wss:',
  },
  {
    name: 'TURN_URLS',
    default: '',
    meaning: 'comma-separated TURN and STUN servers, such as turn:turn.example.org:3478?transport=udp',
  },
  { name: 'TURN_SECRET', default: '', meaning: 'secret shared with the TURN servers (coturn: static-auth-secret)' },
];

/** The signalling address for clients. */
export function clientUrl(
  { media_url, public_url }: { media_url: MediaConfig['media_url']; public_url: string },
  port: number,
): string {
  const { hostname } = new URL(public_url);
  return media_url ?? `ws://${hostname}:${port}`;
}

/** The admission endpoint for the media server: directly at the listening address, past any proxy. */
export function admissionUrl({ host, port }: { host: string; port: number }): string {
  return `${ownUrl({ host, port })}/v1/media/admission`;
}

/** The address by which this process reaches itself. */
export function ownUrl({ host, port }: { host: string; port: number }): string {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Reads the media variables. @throws ConfigError naming the variable */
export function readMedia(read: Reader, host: string, port: number): MediaConfig {
  const media_port = read.number('MEDIA_PORT', port === 0 ? 0 : port + 1, 0, 65_535);
  const next = media_port === 0 ? 0 : Math.min(65_535, media_port + 1);
  const media_node_ip = read.text('MEDIA_NODE_IP') ?? (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
  for (const ip of read.text('MEDIA_NODE_IP')?.split(',') ?? [])
    if (!isIP(ip.trim())) read.refuse(`MEDIA_NODE_IP must hold addresses, but "${ip.trim()}" is none.`);
  return {
    media_port,
    media_udp_port: read.number('MEDIA_UDP_PORT', media_port, 0, 65_535),
    media_tcp_port: read.text('MEDIA_TCP_PORT') === 'off' ? undefined : read.number('MEDIA_TCP_PORT', next, 0, 65_535),
    media_node_ip,
    media_for_this_machine: read.text('MEDIA_NODE_IP') === undefined,
    media_url: read.url('MEDIA_URL', ['ws', 'wss']),
    media_threads: read.number('MEDIA_THREADS', 1, 1, 64),
    ice: readIce(read),
  };
}

function readIce(read: Reader): MediaConfig['ice'] {
  const urls = (read.text('TURN_URLS') ?? '').split(',').flatMap((url) => url.trim() || []);
  const secret = read.text('TURN_SECRET');
  if (urls.length > default_limits.ice_servers)
    read.refuse(`TURN_URLS may hold ${default_limits.ice_servers} addresses, and holds ${urls.length}.`);
  for (const url of urls)
    if (!/^(stuns?|turns?):[^\s/]+$/.test(url))
      read.refuse(`TURN_URLS must hold turn:, turns: or stun: addresses, but "${url}" is none.`);
  if (urls.some((url) => url.startsWith('turn')) && secret === undefined)
    read.refuse('TURN_SECRET must be set too, since TURN_URLS names a relay.');
  return { urls, secret };
}
