import { ApiError } from './errors.ts';
import { Heartbeat } from './heartbeat.ts';
import type { RealtimeEvent, RealtimeType } from './realtime-events.ts';
import { notifyListeners } from './notify-listeners.ts';

/** What `POST /realtime/grant` answers, as far as the stream needs it. */
export interface StreamGrant {
  url: string;
  token: string;
}

/** `stopped` is final: the session is over, not allowed, or the stream was closed. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'stopped';

/** What the stream tells beside the events themselves. */
export interface StreamSignals {
  /** Connected; `resumed` is false when nothing before this moment was replayed. */
  ready: { resumed: boolean };
  /** Events were lost for good: fetch again what you show. */
  reset: { last_event_id: string | undefined };
  state: StreamState;
}

/** How the stream connects. */
export interface StreamOptions {
  createGrant: () => Promise<StreamGrant>;
  /** The event after which the stream begins, as an answer tells it (`GET /home`); the present when left out. */
  last_event_id?: string | undefined;
  /** First pause after a lost connection; it doubles up to `max_backoff_ms`. */
  backoff_ms?: number;
  max_backoff_ms?: number;
  /** After so much silence the service is asked whether the connection lives, in milliseconds; 25,000 when left out. */
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

/** Events remembered to drop repeats: the service delivers at least once. */
const REMEMBERED_IDS = 1_000;
/** Positions and captions are nowhere kept: they carry the identifier of whatever was told before them, and are no repeats of it. */
const UNREPLAYED: ReadonlySet<string> = new Set(['call.caption', 'location.updated', 'location.stopped']);
/** A page hidden this long may have slept, and its socket may be dead without saying so. */
const SUSPECT_AFTER_MS = 30_000;
/** The close code of a node that stops (RFC 6455, registry of close codes), and the time over which its clients spread. */
const SERVICE_RESTART = 1012;
const MOVE_WITHIN_MS = 200;
/** A connection that has not answered the first frame by now is given up. */
const READY_WITHIN_MS = 15_000;
const HEARTBEAT_MS = 25_000;
/** A connection that has not answered a ping by now is half open: it is given up, and the stream resumes. */
const PONG_WITHIN_MS = 10_000;

/** The realtime stream: one WebSocket that comes back by itself and goes on after the last event it saw. */
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
    this.#last_event_id = options.last_event_id;
    this.#around.addEventListener?.('online', this.#onOnline);
    this.#around.document?.addEventListener('visibilitychange', this.#onVisibility);
    void this.#connect();
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The newest event seen, from which the stream resumes. */
  get last_event_id(): string | undefined {
    return this.#last_event_id;
  }

  /** Listens for one type of event. @returns a function that stops listening */
  on<T extends RealtimeType>(type: T, listener: (event: RealtimeEvent<T>) => void): () => void {
    return this.#add(`event:${type}`, listener as (value: never) => void);
  }

  /** Listens for what happens to the stream itself. @returns a function that stops listening */
  onSignal<S extends keyof StreamSignals>(signal: S, listener: (value: StreamSignals[S]) => void): () => void {
    return this.#add(`signal:${signal}`, listener as (value: never) => void);
  }

  /**
   * Says what the user has open, so that none of their devices is pushed it; null for nothing. It holds over lost
   * connections, and not while the page is hidden.
   */
  look(subject: { type: string; id: string } | null): void {
    this.#subject = subject;
    this.#say();
  }

  #say(): void {
    if (this.#state !== 'open') return;
    const subject = this.#around.document?.visibilityState === 'hidden' ? null : this.#subject;
    this.#socket?.send(JSON.stringify({ type: 'looking', subject }));
  }

  /** Ends the stream for good. */
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

  /** Forgets the present socket and timer; answers of earlier rounds are ignored from now on. */
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
      // An address that may not be opened from here is as one that does not answer: the next grant may name another.
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

  /** The node ends and says so: another one is there at once, and what fails after that waits as usual. */
  #move(): void {
    this.#setState('waiting');
    this.#timer = setTimeout(() => void this.#connect(), Math.random() * MOVE_WITHIN_MS);
  }

  #retryLater(at_least_s: number | undefined): void {
    const { backoff_ms = 500, max_backoff_ms = 30_000 } = this.#options;
    const full_ms = Math.min(max_backoff_ms, backoff_ms * 2 ** this.#attempt);
    this.#attempt += 1;
    this.#setState('waiting');
    // Half of the pause is drawn by lot, so that a restarted server is not met by everybody at once.
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
    // What was missed follows "ready", so the place to resume from moves only with each event that has come.
    if (!resumed) this.#last_event_id = stated;
    this.#setState('open');
    this.#heartbeat?.beat();
    if (this.#subject) this.#say();
    if (type === 'reset') this.#emit('signal:reset', { last_event_id: stated });
    else this.#emit('signal:ready', { resumed });
  }

  #deliver(id: string, frame: Frame): void {
    const told = { id, type: frame.type, at: frame.at, data: frame.data };
    if (UNREPLAYED.has(String(frame.type))) {
      this.#emit(`event:${String(frame.type)}`, told);
      return;
    }
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    if (this.#seen.size > REMEMBERED_IDS) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    this.#last_event_id = id;
    this.#emit(`event:${String(frame.type)}`, told);
  }

  readonly #onOnline = (): void => {
    if (this.#state === 'stopped') return;
    // The network has changed under the socket: resuming is cheap, and waiting for a dead one is not.
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
