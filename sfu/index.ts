import { once } from 'node:events';
import { isIP, type Server, type Socket } from 'node:net';
import { createAdmission, type Admit } from './signal/admission.ts';
import { createHttpServer } from './signal/http-server.ts';
import { createHost, type HostOptions } from './hosts/host.ts';
import type { MediaStats } from './rooms/registry.ts';
import type { IceServerEntry } from './signal/turn.ts';
import { createWebhookSender, type WebhookSender } from './signal/webhook.ts';

/** The configuration of a media server. */
export type SfuOptions = {
  /** The address to listen on for HTTP and signal sockets. */
  host: string;
  /** The TCP port; 0 takes any free one. */
  port: number;
  api_key: string;
  api_secret: string;
  /**
   * The addresses, separated by commas, that clients send media to. Default: `host` if it is a specific address, else
   * all addresses of the machine.
   */
  node_ip?: string;
  /**
   * With a loopback `node_ip`: also serves browsers of this machine at another of its addresses, and nobody else there.
   * Firefox cannot use loopback candidates.
   */
  for_this_machine?: boolean;
  /** The UDP port of all media; 0 or undefined takes any free one. */
  udp_port?: number;
  /** The TCP port for clients whose network blocks UDP; 0 takes any free one, undefined disables TCP. */
  tcp_port?: number;
  /**
   * The number of threads for rooms; 1 or undefined uses the caller's own. Each further thread takes the next UDP and
   * TCP port.
   */
  threads?: number;
  /** The receiver of signed webhooks; undefined sends none. */
  webhook_url?: string;
  /** Asked at each join whether the token is still admitted (`admission.ts`); undefined accepts every valid token. */
  admission_url?: string;
  /** Whether joining creates a room, as in LiveKit's `room.auto_create`; true by default. */
  auto_create?: boolean;
  /** STUN and TURN servers for clients. */
  iceServersFor?: (identity: string) => IceServerEntry[];
  /** Seconds after which a room that nobody ever joined ends; 60 by default. */
  empty_timeout_s?: number;
  /** Seconds after which a room that everybody left ends; 10 by default. */
  departure_timeout_s?: number;
  /** Whether clients connect through a proxy, which puts their address into `X-Forwarded-For`. */
  trust_proxy?: boolean;
  /** A server that is already listening; by default `host` and `port` are used. */
  listener?: Server;
  log?: (line: { level: 'info' | 'warn' | 'error'; message: string; [key: string]: unknown }) => void;
};

/** A media server that listens. */
export type Sfu = {
  /** `http://host:port`; clients may also use it with `ws:`. */
  url: string;
  /** Disconnects everybody (clients may reconnect), flushes webhooks and closes the port. */
  close(): Promise<void>;
  stats(): MediaStats;
  /** Adopts a connection that was accepted before this server listened. */
  serve(socket: Socket): void;
};

const WEBHOOK_FLUSH_MS = 2_000;
/** Wildcard addresses. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * Starts a media server that speaks LiveKit's client protocol and room service.
 * @throws the listen error of node:net or node:dgram, for example when a port is in use
 */
export async function startSfu(options: SfuOptions): Promise<Sfu> {
  const log: Log = (level, message, details) => options.log?.({ ...details, level, message });
  const webhooks = openWebhooks(options, log);
  const { api_key, api_secret, threads = 1 } = options;
  const host_options = hostOptionsOf(options, log, (room, event) => webhooks?.send(room, event));
  const host = await (threads > 1
    ? (await import('./hosts/room-workers.ts')).createRoomWorkers(threads, host_options)
    : createHost(host_options));
  const { auto_create = true } = options;
  const admit = openAdmission(options, log);
  const http = createHttpServer({
    host,
    api_key,
    api_secret,
    auto_create,
    admit,
    log,
    trust_proxy: options.trust_proxy ?? false,
  });
  try {
    http.server.listen(options.listener ?? { port: options.port, host: options.host });
    await once(http.server, 'listening');
  } catch (error) {
    await host.close();
    throw error;
  }
  const address = http.server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    stats: () => host.stats(),
    serve: (socket) => {
      http.server.emit('connection', socket);
      // It was paused, so that no data is lost on the way.
      socket.resume();
    },
    async close() {
      await host.close();
      await http.close();
      await webhooks?.close(WEBHOOK_FLUSH_MS);
    },
  };
}

type Log = (level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>) => void;

/** What hosts of rooms need, with defaults applied. */
function hostOptionsOf(options: SfuOptions, log: Log, onWebhook: HostOptions['onWebhook']): HostOptions {
  const node_ip =
    options.node_ip ?? (isIP(options.host) && !EVERY_ADDRESS.has(options.host) ? options.host : undefined);
  const node_ips = (node_ip ?? '').split(',').flatMap((ip) => ip.trim() || []);
  const { api_key, api_secret, udp_port = 0, tcp_port, for_this_machine = false, iceServersFor = () => [] } = options;
  const settings = {
    empty_timeout_s: options.empty_timeout_s ?? 60,
    departure_timeout_s: options.departure_timeout_s ?? 10,
    max_participants: 0,
    metadata: '',
  };
  const media = { node_ips, for_this_machine, udp_port, tcp_port };
  return { settings, media, onWebhook, api_key, api_secret, iceServersFor, log };
}

/** The sender of webhooks; undefined where nobody receives them. */
function openWebhooks({ webhook_url, api_key, api_secret }: SfuOptions, log: Log): WebhookSender | undefined {
  if (webhook_url === undefined) return undefined;
  return createWebhookSender({
    url: webhook_url,
    api_key,
    api_secret,
    onError: (event, error) => log('error', 'webhook dropped', { event: event.event, error: String(error) }),
  });
}

/** How admission is checked; undefined where it is not. */
function openAdmission({ admission_url, api_key, api_secret }: SfuOptions, log: Log): Admit | undefined {
  if (admission_url === undefined) return undefined;
  const onError = (error: unknown) => log('warn', 'the service cannot be asked who may join', { error: String(error) });
  return createAdmission({ url: admission_url, api_key, api_secret, onError });
}
