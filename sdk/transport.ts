import { ApiError, NetworkError, readApiError } from './errors.ts';
import type { OperationEntry, UploadProgress } from './operation-types.ts';
import { refreshOnce } from './refresh-lock.ts';
import { readTokenPair } from './token-store.ts';
import type { TokenPair, TokenStore } from './token-store.ts';
import { sendUpload } from './upload.ts';

/** Everything that a request may carry, before the types of one operation narrow it. */
export interface RawInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
  idempotency_key?: string;
}

/** The options of the transport. */
export interface TransportOptions {
  /** The versioned base without a trailing slash, for example `https://host/v1`, or `/v1` in a page. */
  base_url: string;
  store: TokenStore;
  fetch: typeof fetch;
  /** The timeouts of a request, and of one with a file, in milliseconds. */
  timeout_ms: number;
  upload_timeout_ms: number;
  /** How often a repeatable request is retried. */
  max_retries: number;
  /** The first pause before a retry; it doubles each time. */
  retry_delay_ms: number;
  onSession: (pair: TokenPair | undefined) => void;
  /** Receives the position in the stream of events at which each GET was answered. */
  onPosition: (position: string) => void;
  /** The language of error messages, a BCP 47 tag. */
  language: (() => string) | undefined;
  /** Requests the service to store the refresh token in a cookie of the browser. */
  session_cookie: boolean;
}

const MAX_PAUSE_MS = 10_000;
/** Responses of a gateway or a busy service: the same request may succeed a moment later. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
/** Methods that are idempotent (RFC 9110, 9.2.2); a POST is repeatable because of its key. */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Sends operations with the access token, one refresh when it has expired, idempotency keys and bounded retries. */
export class Transport {
  readonly options: TransportOptions;
  #refreshing: Promise<void> | undefined;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /**
   * Sends one operation and returns the body of its reply.
   * @throws ApiError when the service refuses, NetworkError when it cannot be reached, AbortError when aborted
   */
  async send(entry: OperationEntry, input: RawInput): Promise<unknown> {
    const key = entry.method === 'POST' ? (input.idempotency_key ?? createKey()) : input.idempotency_key;
    const used = this.options.store.get();
    try {
      return await this.#sendWithRetries(entry, input, key, used?.token);
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 401 && error.code === 'token_invalid';
      if (!stale || used === undefined || entry.path === '/auth/refresh') throw error;
      await this.#refresh(used);
      const fresh = this.options.store.get();
      if (fresh === undefined) throw error;
      // Another session may belong to another person: a read may be repeated with it, but nothing else.
      if (fresh.session_id !== used.session_id && entry.method !== 'GET') throw error;
      return await this.#sendWithRetries(entry, input, key, fresh.token);
    }
  }

  /** Stores a new session, and notifies listeners. */
  storeSession(pair: TokenPair | undefined): void {
    if (pair === undefined) this.options.store.clear();
    else this.options.store.set(pair);
    this.options.onSession(pair);
  }

  async #sendWithRetries(entry: OperationEntry, input: RawInput, key: string | undefined, token: string | undefined) {
    const repeatable = IDEMPOTENT_METHODS.has(entry.method) || (entry.method === 'POST' && key !== undefined);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#sendOnce(entry, input, key, token);
      } catch (error) {
        // A DELETE that finds nothing on a retry was carried out by an attempt whose response was lost.
        if (attempt > 0 && entry.method === 'DELETE' && error instanceof ApiError && error.status === 404) return;
        const pause_ms = this.#pauseBefore(attempt, error);
        if (!repeatable || pause_ms === undefined || attempt >= this.options.max_retries) throw error;
        await pause(pause_ms, input.signal);
      }
    }
  }

  /** Milliseconds to wait before a retry, or undefined when a retry cannot help. */
  #pauseBefore(attempt: number, error: unknown): number | undefined {
    const doubled_ms = Math.min(MAX_PAUSE_MS, this.options.retry_delay_ms * 2 ** attempt);
    if (error instanceof NetworkError) return doubled_ms * (0.5 + Math.random() / 2);
    if (!(error instanceof ApiError)) return undefined;
    if (error.status === 429 || TRANSIENT_STATUSES.has(error.status)) {
      const { retry_after_s } = error;
      if (retry_after_s === undefined) return error.status === 429 ? undefined : doubled_ms;
      return retry_after_s * 1000 > MAX_PAUSE_MS ? undefined : Math.max(retry_after_s * 1000, doubled_ms);
    }
    // A retry can overtake its first attempt on the server, which then reports that the first one is still running.
    return error.code === 'request_in_progress' ? doubled_ms : undefined;
  }

  async #sendOnce(entry: OperationEntry, input: RawInput, key: string | undefined, token: string | undefined) {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (key !== undefined) headers['idempotency-key'] = key;
    if (this.options.language !== undefined) headers['accept-language'] = this.options.language();
    if (this.options.session_cookie) headers['asterism-session'] = 'cookie';
    // A redirect would send what is in the body, such as the refresh token, to whatever address it names.
    const init: RequestInit = { method: entry.method, headers, redirect: 'error' };
    const limit = AbortSignal.timeout(
      input.file === undefined ? this.options.timeout_ms : this.options.upload_timeout_ms,
    );
    init.signal = input.signal === undefined ? limit : AbortSignal.any([input.signal, limit]);
    if (input.file !== undefined) {
      const form = new FormData();
      for (const [name, value] of Object.entries(input.body ?? {}))
        if (value !== undefined) form.append(name, String(value));
      form.append('file', input.file);
      init.body = form;
    } else if (input.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(input.body);
    }
    const address = buildAddress(this.options.base_url, entry.path, input);
    let response: Response;
    try {
      response = await (init.body instanceof FormData && input.onProgress !== undefined
        ? sendUpload(address, init, input.onProgress, this.options.fetch)
        : this.options.fetch(address, init));
    } catch (error) {
      if (input.signal?.aborted === true) throw error;
      throw new NetworkError(error);
    }
    if (!response.ok) throw await readApiError(response);
    const position = entry.method === 'GET' ? response.headers.get('asterism-position') : null;
    if (position !== null) this.options.onPosition(position);
    const text = await response.text().catch((error: unknown) => {
      throw input.signal?.aborted === true ? error : new NetworkError(error);
    });
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** Refreshes the session once for all concurrent requests, in this page and, where locks exist, in all tabs. */
  async #refresh(stale: TokenPair): Promise<void> {
    // Another tab, or a request just before this one, may already have refreshed or ended the session.
    const isRefreshed = () => this.options.store.get()?.token !== stale.token;
    this.#refreshing ??= refreshOnce(`${this.options.base_url} ${stale.token}`, isRefreshed, () =>
      this.#sendRefresh(stale),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #sendRefresh(stale: TokenPair): Promise<void> {
    const current = this.options.store.get();
    if (current === undefined || current.token !== stale.token) return;
    const entry = { method: 'POST', path: '/auth/refresh' };
    let pair: TokenPair | undefined;
    try {
      const { refresh_token } = current;
      const body = refresh_token === undefined ? {} : { refresh_token };
      pair = readTokenPair(await this.#sendWithRetries(entry, { body }, createKey(), undefined));
    } catch (error) {
      // Only a refusal ends the session: an outage of the service signs nobody out.
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    }
    // If the user signed out or in while the request was in flight, there is another session by now, or none.
    if (this.options.store.get()?.token === current.token) this.storeSession(pair);
  }
}

/** Fills in `{name}` in a path and appends the query; a list becomes a repeated parameter. */
function buildAddress(base_url: string, path: string, input: RawInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = asText(input.path?.[name] ?? '');
    // Dot segments, escaped or not, lead to another operation (URL standard, path state).
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`The path needs "${name}".`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, asText(one));
    }
  }
  const text = query.toString();
  return `${base_url}${filled}${text === '' ? '' : `?${text}`}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A fresh idempotency key of 128 random bits; `randomUUID` is missing on pages served without TLS. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function pause(delay_ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delay_ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
