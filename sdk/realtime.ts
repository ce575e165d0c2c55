import { ApiError } from './errors.ts';
import { Heartbeat } from './heartbeat.ts';
import type { RealtimeEvent, RealtimeType } from './realtime-events.ts';
import { notifyListeners } from './notify-listeners.ts';

/** The part of the reply of `POST /realtime/grant` that the stream needs. */
export interface StreamGrant {
  url: string;
  token: string;
}

/** `stopped` is final: the session has ended or is not allowed, or the stream was closed. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'stopped';

/** Signals of the stream itself, besides its events. */
export interface StreamSignals {
  /** Connected; `resumed` is false when no earlier events were replayed. */
  ready: { resumed: boolean };
  /** Events were lost for good: refetch what you show. */
  reset: { last_event_id: string | undefined };
  state: StreamState;
}

/** How the stream connects. */
export interface StreamOptions {
  createGrant: () => Promise<StreamGrant>;
  /** The event after which the stream starts; now by default. A function is called when the stream connects first. */
  last_event_id?: string | (() => string | undefined) | undefined;
  /** The first pause after a lost connection; it doubles up to `max_backoff_ms`. */
  backoff_ms?: number;
  max_backoff_ms?: number;
  /** After this long without a frame the service is pinged, in milliseconds; 25,000 by default. */
  heartbeat_ms?: number;
  WebSocket?: typeof WebSocket;
}

interface Frame {
  type?: unknown;
  id?: unknown;
  at?: unknown;
  data?: unknown;
  last_event_id?: unknown;
}

interface Environment {
  addEventListener?: (type: string, listener: () => void) => void;
  removeEventListener?: (type: string, listener: () => void) => void;
  document?: {
    visibilityState: string;
    addEventListener(type: string, listener: () => void): void;
    removeEventListener(type: string, listener: () => void): void;
  };
}

/** The number of event identifiers that are remembered to drop duplicates: the service delivers at least once. */
const REMEMBERED_IDS = 1_000;
/** Events that are not stored, or not always: they carry the identifier of the event before them. */
const UNREPLAYED: ReadonlySet<string> = new Set([
  'call.caption',
  'call.muted',
  'call.reaction',
  'chat.typing',
  'dm.typing',
  'location.updated',
  'location.stopped',
  'room.updated',
]);
/** A page hidden for this long may have been suspended, and its socket may be dead without a close event. */
const SUSPECT_AFTER_MS = 30_000;
/** The close code of a node that shuts down (registry of RFC 6455), and the time over which its clients spread. */
const SERVICE_RESTART = 1012;
const MOVE_WITHIN_MS = 200;
/** A connection without a reply to the first frame within this time is dropped. */
const READY_WITHIN_MS = 15_000;
const HEARTBEAT_MS = 25_000;
/** A connection without a reply to a ping within this time is half open: it is dropped, and the stream resumes. */
const PONG_WITHIN_MS = 10_000;

/** The realtime stream: a WebSocket that reconnects automatically and resumes after the last event received. */
export class RealtimeStream {
  readonly #options: StreamOptions;
  readonly #listeners = new Map<string, Set<(value: never) => void>>();
  readonly #seen = new Set<string>();
  readonly #around: Environment = globalThis as Environment;
  #socket: WebSocket | undefined;
  #heartbeat: Heartbeat | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #round = 0;
  #hidden_since_ms: number | undefined;
  #last_event_id: string | undefined;
  #state: StreamState = 'connecting';
  #subject: { type: string; id: string } | null = null;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#around.addEventListener?.('online', this.#onOnline);
    this.#around.document?.addEventListener('visibilitychange', this.#onVisibility);
    void this.#connect();
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The newest event received, from which the stream resumes. */
  get last_event_id(): string | undefined {
    return this.#last_event_id;
  }

  /** Subscribes to one type of event. @returns a function that unsubscribes */
  on<T extends RealtimeType>(type: T, listener: (event: RealtimeEvent<T>) => void): () => void {
    return this.#add(`event:${type}`, listener as (value: never) => void);
  }

  /** Subscribes to a signal of the stream itself. @returns a function that unsubscribes */
  onSignal<S extends keyof StreamSignals>(signal: S, listener: (value: StreamSignals[S]) => void): () => void {
    return this.#add(`signal:${signal}`, listener as (value: never) => void);
  }

  /**
   * Sets what the user is looking at, so that none of their devices gets pushes for it; null for nothing. It persists
   * across reconnects, and is suspended while the page is hidden.
   */
  setFocus(subject: { type: string; id: string } | null): void {
    this.#subject = subject;
    this.#say();
  }

  #say(): void {
    if (this.#state !== 'open') return;
    const subject = this.#around.document?.visibilityState === 'hidden' ? null : this.#subject;
    this.#socket?.send(JSON.stringify({ type: 'focus', subject }));
  }

  /** Closes the stream for good. */
  close(): void {
    this.#around.removeEventListener?.('online', this.#onOnline);
    this.#around.document?.removeEventListener('visibilitychange', this.#onVisibility);
    this.#drop();
    this.#setState('stopped');
  }

  #add(name: string, listener: (value: never) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => void set.delete(listener);
  }

  #emit(name: string, value: unknown): void {
    notifyListeners(this.#listeners.get(name) ?? [], value as never);
  }

  #setState(state: StreamState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#emit('signal:state', state);
  }

  /** Discards the current socket and timer; replies to earlier attempts are ignored from now on. */
  #drop(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#heartbeat?.stop();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  async #connect(): Promise<void> {
    this.#drop();
    const round = this.#round;
    this.#setState('connecting');
    let grant: StreamGrant;
    try {
      grant = await this.#options.createGrant();
    } catch (error) {
      if (round !== this.#round) return;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) this.close();
      else this.#retryLater(error instanceof ApiError ? error.retry_after_s : undefined);
      return;
    }
    if (round !== this.#round) return;
    let socket: WebSocket;
    try {
      socket = new (this.#options.WebSocket ?? WebSocket)(grant.url);
    } catch {
      // An address that cannot be opened from here is treated as one that does not answer: the next grant may name
      // another.
      this.#retryLater(undefined);
      return;
    }
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#lose(round), READY_WITHIN_MS);
    this.#heartbeat = new Heartbeat({
      every_ms: this.#options.heartbeat_ms ?? HEARTBEAT_MS,
      answer_ms: PONG_WITHIN_MS,
      ask: () => socket.send(JSON.stringify({ type: 'ping' })),
      onDead: () => this.#lose(round),
    });
    socket.addEventListener('open', () => {
      const { last_event_id: start } = this.#options;
      this.#last_event_id ??= typeof start === 'function' ? start() : start;
      socket.send(JSON.stringify({ type: 'resume', token: grant.token, last_event_id: this.#last_event_id }));
    });
    socket.addEventListener('message', (message) => {
      if (round !== this.#round) return;
      if (this.#state === 'open') this.#heartbeat?.beat();
      this.#receive(String(message.data));
    });
    socket.addEventListener('close', ({ code }) => this.#lose(round, code));
    socket.addEventListener('error', () => this.#lose(round));
  }

  #lose(round: number, code?: number): void {
    if (round !== this.#round) return;
    this.#drop();
    if (code === SERVICE_RESTART && this.#state === 'open') this.#move();
    else this.#retryLater(undefined);
  }

  /** The node announced its shutdown: another one is available at once, and later failures wait as usual. */
  #move(): void {
    this.#setState('waiting');
    this.#timer = setTimeout(() => void this.#connect(), Math.random() * MOVE_WITHIN_MS);
  }

  #retryLater(at_least_s: number | undefined): void {
    const { backoff_ms = 500, max_backoff_ms = 30_000 } = this.#options;
    const full_ms = Math.min(max_backoff_ms, backoff_ms * 2 ** this.#attempt);
    this.#attempt += 1;
    this.#setState('waiting');
    // Half of the pause is random, so that not all clients reconnect to a restarted server at the same moment.
    const delay_ms = Math.max((at_least_s ?? 0) * 1000, full_ms * (0.5 + Math.random() / 2));
    this.#timer = setTimeout(() => void this.#connect(), delay_ms);
  }

  #receive(text: string): void {
    let frame: Frame;
    try {
      frame = JSON.parse(text) as Frame;
    } catch {
      return;
    }
    if (frame === null || typeof frame !== 'object') return;
    const stated = typeof frame.last_event_id === 'string' ? frame.last_event_id : undefined;
    if (frame.type === 'ready' || frame.type === 'reset') this.#start(frame.type, stated);
    else if (typeof frame.id === 'string' && typeof frame.type === 'string') this.#deliver(frame.id, frame);
  }

  #start(type: 'ready' | 'reset', stated: string | undefined): void {
    clearTimeout(this.#timer);
    this.#attempt = 0;
    const resumed = type === 'ready' && this.#last_event_id !== undefined;
    // The missed events follow "ready", so the resume position advances only with each event received.
    if (!resumed) this.#last_event_id = stated;
    this.#setState('open');
    this.#heartbeat?.beat();
    if (this.#subject) this.#say();
    if (type === 'reset') this.#emit('signal:reset', { last_event_id: stated });
    else this.#emit('signal:ready', { resumed });
  }

  #deliver(id: string, frame: Frame): void {
    const fields = { id, type: frame.type, at: frame.at, data: frame.data };
    if (UNREPLAYED.has(String(frame.type))) {
      this.#emit(`event:${String(frame.type)}`, fields);
      return;
    }
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    if (this.#seen.size > REMEMBERED_IDS) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    this.#last_event_id = id;
    this.#emit(`event:${String(frame.type)}`, fields);
  }

  readonly #onOnline = (): void => {
    if (this.#state === 'stopped') return;
    // The network may have changed: resuming is cheap, and waiting for a dead connection is not.
    this.#attempt = 0;
    void this.#connect();
  };

  readonly #onVisibility = (): void => {
    if (this.#state === 'stopped') return;
    if (this.#subject) this.#say();
    if (this.#around.document?.visibilityState === 'hidden') {
      this.#hidden_since_ms = Date.now();
      return;
    }
    const hidden_ms = this.#hidden_since_ms === undefined ? 0 : Date.now() - this.#hidden_since_ms;
    this.#hidden_since_ms = undefined;
    if (this.#state === 'waiting' || hidden_ms > SUSPECT_AFTER_MS) this.#onOnline();
  };
}
