/** The main side of a worker thread that hosts rooms: its messages are signals, calls, webhooks and counters. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebhookEvent } from '@livekit/protocol';
import type { RawData } from 'ws';
import { sendWithinLimit } from '../signal/connect.ts';
import type { HostOptions } from './host.ts';
import type { SignalSocket } from '../signal/signal-socket.ts';
import type { MediaStats } from '../rooms/registry.ts';
import { TwirpError, type TwirpCall, type TwirpCode, type TwirpReply } from '../signal/room-service.ts';
import type { IceServerEntry } from '../signal/turn.ts';
import { createRestartDelay } from '../restart-delay.ts';
import { createTraffic } from '../forwarding/traffic.ts';
import type { Grants } from '../token.ts';

/** The start parameters of a worker. */
export type WorkerSettings = Pick<HostOptions, 'settings' | 'media' | 'api_key' | 'api_secret'>;

/** A message to a worker. `socket` and `id` identify a signal socket and a call of the room service. */
export type ToWorker =
  /** `use` is a unique number for each time that a room is addressed. */
  | { type: 'open'; socket: number; use: number; query: string; grants: Grants; ice_servers: IceServerEntry[] }
  | { type: 'frame'; socket: number; data: Uint8Array; binary: boolean }
  | { type: 'closed'; socket: number }
  | { type: 'call'; id: number; call: TwirpCall; makes: { room: string; use: number } | undefined }
  | { type: 'close' };

/** A message of a worker. */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'send'; socket: number; data: Uint8Array }
  | { type: 'end'; socket: number; how: 'close' | 'terminate' }
  | { type: 'reply'; id: number; reply: TwirpReply }
  | { type: 'refusal'; id: number; code: TwirpCode; message: string }
  /** A room has ended, or was never created; `use` is the last one that the worker has seen. */
  | { type: 'ended'; room: string; use: number }
  | { type: 'webhook'; room: string; event: Uint8Array }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; details: Record<string, unknown> }
  | { type: 'stats'; stats: MediaStats };

type Waiting = { resolve(reply: TwirpReply): void; reject(error: Error): void };

/** One worker thread and its message channel. A failed worker is replaced after a delay; its clients rejoin. */
export class RoomWorker {
  worker: Worker | undefined;
  readonly #settings: WorkerSettings;
  readonly #options: HostOptions;
  readonly #sockets = new Map<number, SignalSocket>();
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  stats: MediaStats = { rooms: 0, participants: 0, ...createTraffic() };
  onEnded: (room: string, use: number) => void = () => undefined;
  onLost: () => void = () => undefined;
  #closing = false;
  #is_up = false;
  #was_up = false;
  #started_at_ms = 0;
  #failure: unknown;
  #restart: NodeJS.Timeout | undefined;
  readonly #delay = createRestartDelay();
  readonly #waiting_for_start: { resolve(): void; reject(error: unknown): void }[] = [];

  constructor(settings: WorkerSettings, options: HostOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#start();
  }

  #start(): void {
    this.#started_at_ms = performance.now();
    const worker = (this.worker = new Worker(new URL('./room.worker.ts', import.meta.url), {
      workerData: this.#settings,
    }));
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => {
      this.#failure = error;
      this.#options.log('error', 'a media worker failed', { error: String(error) });
    });
    worker.on('exit', () => this.#lose());
  }

  /** Whether it is serving. */
  isUp(): boolean {
    return this.#is_up;
  }

  /** Resolves when the worker is serving. @throws the error of its first start */
  async ready(): Promise<void> {
    if (this.#is_up) return;
    await new Promise<void>((resolve, reject) => this.#waiting_for_start.push({ resolve, reject }));
  }

  #markReady(): void {
    this.#is_up = true;
    this.#was_up = true;
    for (const { resolve } of this.#waiting_for_start.splice(0)) resolve();
  }

  /** Terminates it silently. */
  async abandon(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    await this.worker?.terminate();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    if (!this.worker) return;
    const ended = once(this.worker, 'exit');
    this.post({ type: 'close' });
    await ended;
  }

  post(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        return this.#markReady();
      case 'send':
        return this.#sendTo(message.socket, message.data);
      case 'end':
        return this.#sockets.get(message.socket)?.[message.how]();
      case 'reply':
        this.#waiting.get(message.id)?.resolve(message.reply);
        return void this.#waiting.delete(message.id);
      case 'refusal':
        this.#waiting.get(message.id)?.reject(new TwirpError(message.code, message.message));
        return void this.#waiting.delete(message.id);
      case 'ended':
        return this.onEnded(message.room, message.use);
      case 'webhook':
        return this.#options.onWebhook(message.room, WebhookEvent.fromBinary(message.event));
      case 'log':
        return this.#options.log(message.level, message.message, message.details);
      case 'stats':
        this.stats = message.stats;
        return;
      default:
        return;
    }
  }

  #sendTo(id: number, data: Uint8Array): void {
    const socket = this.#sockets.get(id);
    if (socket) sendWithinLimit(socket, data);
  }

  /** The rooms of a terminated worker are gone. */
  #lose(): void {
    this.worker = undefined;
    this.#is_up = false;
    for (const socket of this.#sockets.values()) socket.terminate();
    for (const { reject } of this.#waiting.values())
      reject(new TwirpError('unavailable', 'the media worker has ended'));
    this.#sockets.clear();
    this.#waiting.clear();
    this.stats = { rooms: 0, participants: 0, ...createTraffic() };
    this.onLost();
    // A worker that cannot start at all, for example because its port is in use, is reported to the caller.
    this.#closing ||= !this.#was_up;
    if (!this.#closing) {
      this.#restart = setTimeout(() => this.#start(), this.#delay.next(performance.now() - this.#started_at_ms));
      return;
    }
    for (const { reject } of this.#waiting_for_start.splice(0))
      reject(this.#failure ?? new Error('the media worker has ended'));
  }

  serve(socket: SignalSocket, query: URLSearchParams, grants: Grants, use: number): void {
    // Clients retry by themselves.
    if (!this.#is_up) return socket.terminate();
    const id = ++this.#count;
    this.#sockets.set(id, socket);
    const ice_servers = this.#options.iceServersFor(grants.identity);
    this.post({ type: 'open', socket: id, use, query: query.toString(), grants, ice_servers });
    socket.on('message', (data: RawData, binary: boolean) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
      this.post({ type: 'frame', socket: id, data: bytes, binary });
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(id);
      this.post({ type: 'closed', socket: id });
    });
  }

  call(call: TwirpCall, makes?: { room: string; use: number }): Promise<TwirpReply> {
    if (!this.#is_up) return Promise.reject(new TwirpError('unavailable', 'the media worker has ended'));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.post({ type: 'call', id, call, makes });
    });
  }
}
