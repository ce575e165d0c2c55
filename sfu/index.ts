import { once } from 'node:events';
import { isIP, type Server, type Socket } from 'node:net';
import { createAdmission, type Admit } from './signal/admission.ts';
import { createHttpServer } from './signal/http-server.ts';
import { createHost, type HostOptions } from './host.ts';
import type { MediaStats } from './rooms/registry.ts';
import type { IceServerEntry } from './signal/turn.ts';
import { createWebhookSender } from './signal/webhook.ts';

export type SfuOptions = {
  /** Address to listen on for HTTP and signal sockets. */
  host: string;
  /** TCP port; 0 takes any free one. */
  port: number;
  api_key: string;
  api_secret: string;
  /**
   * The addresses, separated by commas, that clients send media to. Left out: `host` when that is an address of its own,
   * else all addresses of the machine.
   */
  node_ip?: string;
  /**
   * Where `node_ip` is loopback: serves browsers of this machine at another address of it too, and nobody else there.
   * Firefox reaches no media server at loopback.
   */
  for_this_machine?: boolean;
  /** UDP port of all media; 0, or left out, takes any free one. */
  udp_port?: number;
  /** TCP port for clients whose network lets no UDP through; 0 takes any free one, left out there is none. */
  tcp_port?: number;
  /**
   * How many threads rooms are spread over; 1, or left out, is the caller's own. Each thread but the first takes the next
   * UDP and TCP port.
   */
  threads?: number;
  /** Where signed events go; left out, none are sent. */
  webhook_url?: string;
  /** Asked at each join whether the token still admits (`admission.ts`); left out, every valid token does. */
  admission_url?: string;
  /** Whether joining makes a room, as in LiveKit's `room.auto_create`; true if left out. */
  auto_create?: boolean;
  /** STUN and TURN servers that clients are told of. */
  iceServersFor?: (identity: string) => IceServerEntry[];
  /** Seconds after which a room that nobody ever joined ends; 60 if left out. */
  empty_timeout_s?: number;
  /** Seconds after which a room that everybody left ends; 10 if left out. */
  departure_timeout_s?: number;
  /** Whether clients come through a proxy, which says in `X-Forwarded-For` whose a connection is. */
  trust_proxy?: boolean;
  /** A server that holds the port already; left out, `host` and `port` are listened on. */
  listener?: Server;
  log?: (line: { level: 'info' | 'warn' | 'error'; message: string; [key: string]: unknown }) => void;
};

export type Sfu = {
  /** `http://host:port`; clients may use it with `ws:` as well. */
  url: string;
  /** Sends everybody away (clients may come back by themselves), flushes webhooks and frees the port. */
  close(): Promise<void>;
  stats(): MediaStats;
  /** Takes a connection that came to the port before this server did. */
  serve(socket: Socket): void;
};

const WEBHOOK_FLUSH_MS = 2_000;
/** Hosts that listen on every address and name none. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * Starts a media server that speaks LiveKit's client protocol and room service.
 * @throws the listen error of node:net or node:dgram, for example when a port is taken
 */
export async function startSfu(options: SfuOptions): Promise<Sfu> {
  const log = (level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>) =>
    options.log?.({ ...details, level, message });
  const node_ip =
    options.node_ip ?? (isIP(options.host) && !EVERY_ADDRESS.has(options.host) ? options.host : undefined);
  const webhooks =
    options.webhook_url === undefined
      ? undefined
      : createWebhookSender({
          url: options.webhook_url,
          api_key: options.api_key,
          api_secret: options.api_secret,
          onError: (event, error) => log('error', 'webhook dropped', { event: event.event, error: String(error) }),
        });
  const node_ips = (node_ip ?? '').split(',').flatMap((ip) => ip.trim() || []);
  const { udp_port = 0, tcp_port, for_this_machine = false } = options;
  const settings = {
    empty_timeout_s: options.empty_timeout_s ?? 60,
    departure_timeout_s: options.departure_timeout_s ?? 10,
    max_participants: 0,
    metadata: '',
  };
  const { api_key, api_secret, iceServersFor = () => [], threads = 1 } = options;
  const host_options: HostOptions = {
    settings,
    media: { node_ips, for_this_machine, udp_port, tcp_port },
    onWebhook: (room, event) => webhooks?.send(room, event),
    api_key,
    api_secret,
    iceServersFor,
    log,
  };
  const host = await (threads > 1
    ? (await import('./rooms/threads.ts')).createThreads(threads, host_options)
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
      // It was paused so that none of it is lost on the way.
      socket.resume();
    },
    async close() {
      await host.close();
      await http.close();
      await webhooks?.close(WEBHOOK_FLUSH_MS);
    },
  };
}

type Log = (level: 'warn', message: string, details: Record<string, unknown>) => void;

/** How the service is asked who may join; undefined where it is not. */
function openAdmission({ admission_url, api_key, api_secret }: SfuOptions, log: Log): Admit | undefined {
  if (admission_url === undefined) return undefined;
  const onError = (error: unknown) => log('warn', 'the service cannot be asked who may join', { error: String(error) });
  return createAdmission({ url: admission_url, api_key, api_secret, onError });
}
