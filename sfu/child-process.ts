/**
 * Runs the media server in a child process, so that media, signalling and client input share neither event loop, memory
 * nor fate with the service. The process starts with the first client; until then this process listens on the port, at
 * almost no cost. A failed process is restarted, and clients rejoin.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sfu, SfuOptions } from './index.ts';
import { LIMITS } from './limits.ts';
import type { MediaStats } from './rooms/registry.ts';
import { createRestartDelay } from './restart-delay.ts';
import { createTraffic } from './forwarding/traffic.ts';

type LogLine = Parameters<NonNullable<SfuOptions['log']>>[0];

/** Options that can be sent to another process: no functions. */
export type ChildOptions = Omit<SfuOptions, 'log' | 'iceServersFor' | 'listener'> & {
  /** STUN and TURN servers for clients, and the secret shared with them. */
  ice: { urls: string[]; secret: string | undefined };
};

/** A message to the child; a `connection` is accompanied by its socket. */
export type ToChild = { type: 'start'; options: ChildOptions } | { type: 'connection' } | { type: 'close' };

/** A message of the child. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'failed'; message: string; code: string | undefined; port: number | undefined }
  | { type: 'log'; line: LogLine }
  | { type: 'stats'; stats: MediaStats };

/** The media server as seen by the process that started it. */
export type SfuProcess = Omit<Sfu, 'serve'> & {
  /** Starts the process if it is not running, so that it is ready when a client connects. */
  prepare(): void;
  /** Its process id; undefined while it is not running. */
  pid(): number | undefined;
};

const NO_STATS: MediaStats = { rooms: 0, participants: 0, ...createTraffic() };

/** Retries while a process that has just exited still holds the port. @throws the error of node:net or node:dgram */
async function retryTaken<Result>(open: () => Promise<Result>): Promise<Result> {
  for (const end_ms = performance.now() + LIMITS.port_wait_ms; ; await wait(50)) {
    try {
      return await open();
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE' || performance.now() > end_ms) throw error;
    }
  }
}

/** Checks that the media ports are free, so that a service that could not serve calls does not start. */
async function requireMediaPorts({ node_ip, host, udp_port = 0, tcp_port, threads = 1 }: ChildOptions): Promise<void> {
  if (udp_port === 0) return;
  const { MediaPort } = await import('./transport/media-port.ts');
  const node_ips = (node_ip ?? host).split(',').map((ip) => ip.trim());
  for (let thread = 0; thread < threads; thread++) {
    const ports = {
      udp_port: udp_port + thread,
      tcp_port: tcp_port === undefined || tcp_port === 0 ? undefined : tcp_port + thread,
    };
    const probe = await retryTaken(() => MediaPort.open({ node_ips, ...ports }));
    await probe.close();
  }
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

class Supervisor {
  readonly #options: ChildOptions;
  readonly #log: (line: LogLine) => void;
  readonly #check_ms: number;
  readonly #delay = createRestartDelay();
  /** Connections accepted before the process was ready. */
  readonly #waiting = new Set<Socket>();
  #server: Server | undefined;
  #child: ChildProcess | undefined;
  #is_ready = false;
  #started_at_ms = 0;
  #restart: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silent_checks = 0;
  #closing = false;
  stats = NO_STATS;

  constructor(options: ChildOptions, log: (line: LogLine) => void, check_ms: number) {
    this.#options = options;
    this.#log = log;
    this.#check_ms = check_ms;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Listens on the port until the child process does. */
  adopt(server: Server): void {
    this.#server = server;
    server.on('connection', (socket) => this.#keep(socket));
    server.on('error', (error) => this.#tell('accepting a connection failed', { error: String(error) }));
  }

  #tell(message: string, details: Record<string, unknown>): void {
    this.#log({ ...details, level: 'error', message });
  }

  #keep(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.#closing || this.#waiting.size >= LIMITS.connections_waiting) return void socket.destroy();
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    if (this.#is_ready) this.#passOn();
    else this.start();
  }

  /** Starts the process unless it is running, starting, or waiting to be restarted. */
  start(): void {
    if (this.#child || this.#restart || this.#closing || !this.#server) return;
    this.#started_at_ms = performance.now();
    const child = (this.#child = fork(fileURLToPath(new URL('./child-main.ts', import.meta.url)), [], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }));
    child.on('error', (error) => this.#tell('the media server process failed', { error: String(error) }));
    child.on('message', (message: FromChild) => this.#receive(message));
    child.once('exit', (code, signal) => void this.#lose(code, signal));
    this.#send({ type: 'start', options: this.#options }, this.#server);
    this.#silent_checks = 0;
    this.#watch = setInterval(() => this.#check(), this.#check_ms).unref();
  }

  #send(message: ToChild, handle?: Server | Socket): void {
    // A process that has just exited is handled by its exit event.
    if (this.#child?.connected) this.#child.send(message, handle, undefined, () => undefined);
  }

  #receive(message: FromChild): void {
    this.#silent_checks = 0;
    switch (message.type) {
      case 'ready':
        this.#is_ready = true;
        this.#passOn();
        // From here on the process accepts connections itself.
        this.#server?.close();
        this.#server = undefined;
        return;
      case 'failed':
        return this.#tell('the media server could not start', { error: message.message });
      case 'log':
        return this.#log(message.line);
      case 'stats':
        this.stats = message.stats;
        return;
      default:
        return;
    }
  }

  #passOn(): void {
    for (const socket of this.#waiting) this.#send({ type: 'connection' }, socket);
    this.#waiting.clear();
  }

  /** A process whose event loop is blocked serves nobody and does not exit by itself. */
  #check(): void {
    if (++this.#silent_checks < LIMITS.process_silent_checks) return;
    this.#tell('the media server process does not respond and is killed', { pid: this.pid });
    this.#child?.kill('SIGKILL');
  }

  async #lose(code: number | null, signal: string | null): Promise<void> {
    clearInterval(this.#watch);
    this.#child = undefined;
    this.#is_ready = false;
    this.stats = NO_STATS;
    for (const socket of this.#waiting) socket.destroy();
    if (this.#closing) return;
    const delay_ms = this.#delay.next(performance.now() - this.#started_at_ms);
    this.#tell('the media server process exited and will be restarted', { code, signal, delay_ms });
    this.#restart = setTimeout(() => void this.#begin(), delay_ms);
    // Clients that reconnect meanwhile wait for it.
    await this.#hold();
  }

  async #begin(): Promise<void> {
    this.#restart = undefined;
    await this.#hold();
    this.start();
  }

  async #hold(): Promise<void> {
    if (this.#server || this.#closing) return;
    try {
      const server = await listen(this.#options.host, this.#options.port);
      if (this.#server || this.#closing) server.close();
      else this.adopt(server);
    } catch (error) {
      this.#tell('listening on the media server port failed', { error: String(error) });
      this.#restart ??= setTimeout(() => void this.#begin(), LIMITS.restart_delay_max_ms);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    for (const socket of this.#waiting) socket.destroy();
    this.#server?.close();
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    this.#send({ type: 'close' });
    const cut = setTimeout(() => child.kill('SIGKILL'), LIMITS.process_close_ms);
    await ended;
    clearTimeout(cut);
  }
}

/**
 * Opens the port of a media server, and starts its process with the first client.
 * @param check_ms the interval of health checks
 * @throws the error of node:net or node:dgram when a port is in use
 */
export async function startSfuProcess(
  options: ChildOptions,
  log: (line: LogLine) => void = () => undefined,
  check_ms: number = LIMITS.process_check_ms,
): Promise<SfuProcess> {
  await requireMediaPorts(options);
  const server = await retryTaken(() => listen(options.host, options.port));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  const supervisor = new Supervisor({ ...options, port }, log, check_ms);
  supervisor.adopt(server);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    prepare: () => supervisor.start(),
    pid: () => supervisor.pid,
    stats: () => supervisor.stats,
    close: () => supervisor.close(),
  };
}
