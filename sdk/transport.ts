import { ApiError, NetworkError, readApiError } from './errors.ts';
import type { OperationEntry, UploadProgress } from './operation-types.ts';
import { renewOnce } from './refresh-lock.ts';
import { readTokenPair } from './token-store.ts';
import type { TokenPair, TokenStore } from './token-store.ts';
import { sendUpload } from './upload.ts';

/** Everything that a request may carry, before types narrow it for one operation. */
export interface RawInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
  idempotency_key?: string;
}

/** What the transport needs to know. */
export interface TransportOptions {
  /** The versioned base without a slash at its end, for example `https://host/v1`, or `/v1` in a page. */
  base_url: string;
  store: TokenStore;
  fetch: typeof fetch;
  /** How long one request may take, and one with a file, in milliseconds. */
  timeout_ms: number;
  upload_timeout_ms: number;
  /** How often a request that may be repeated is tried again. */
  max_retries: number;
  /** First pause before trying again; it doubles each time. */
  retry_delay_ms: number;
  onSession: (pair: TokenPair | undefined) => void;
  /** The language in which the service is to refuse, a BCP 47 tag. */
  language: (() => string) | undefined;
  /** Asks the service to keep the refresh token in a cookie of the browser. */
  session_cookie: boolean;
}

const MAX_PAUSE_MS = 10_000;
/** Answers of a gateway or of a busy service: the same request may pass a moment later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
/** Repeating these does no more than doing them once (RFC 9110, 9.2.2); a POST is repeatable by its key. */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Sends operations: bearer, one refresh on an expired token, idempotency keys and bounded retries. */
export class Transport {
  readonly options: TransportOptions;
  #refreshing: Promise<void> | undefined;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /**
   * Sends one operation and answers its reply body.
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
      // Another session may be another person's: it may read again, but not do what this one was asked to do.
      if (fresh.session_id !== used.session_id && entry.method !== 'GET') throw error;
      return await this.#sendWithRetries(entry, input, key, fresh.token);
    }
  }

  /** Keeps a new session, and tells who listens. */
  keepSession(pair: TokenPair | undefined): void {
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
        // What a repeated DELETE does not find was removed by a try whose answer was lost.
        if (attempt > 0 && entry.method === 'DELETE' && error instanceof ApiError && error.status === 404) return;
        const pause_ms = this.#pauseBefore(attempt, error);
        if (!repeatable || pause_ms === undefined || attempt >= this.options.max_retries) throw error;
        await pause(pause_ms, input.signal);
      }
    }
  }

  /** Milliseconds to wait before another try, or undefined when trying again cannot help. */
  #pauseBefore(attempt: number, error: unknown): number | undefined {
    const doubled_ms = Math.min(MAX_PAUSE_MS, this.options.retry_delay_ms * 2 ** attempt);
    if (error instanceof NetworkError) return doubled_ms * (0.5 + Math.random() / 2);
    if (!(error instanceof ApiError)) return undefined;
    if (error.status === 429 || PASSING_STATUSES.has(error.status)) {
      const { retry_after_s } = error;
      if (retry_after_s === undefined) return error.status === 429 ? undefined : doubled_ms;
      return retry_after_s * 1000 > MAX_PAUSE_MS ? undefined : Math.max(retry_after_s * 1000, doubled_ms);
    }
    // A repeat can overtake its first try on the server, which then says that this one still runs.
    return error.code === 'request_in_progress' ? doubled_ms : undefined;
  }

  async #sendOnce(entry: OperationEntry, input: RawInput, key: string | undefined, token: string | undefined) {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (key !== undefined) headers['idempotency-key'] = key;
    if (this.options.language !== undefined) headers['accept-language'] = this.options.language();
    if (this.options.session_cookie) headers['asterism-session'] = 'cookie';
    const init: RequestInit = { method: entry.method, headers };
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
    const text = await response.text().catch((error: unknown) => {
      throw input.signal?.aborted === true ? error : new NetworkError(error);
    });
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** Renews the session once however many requests ask, in this page and, where locks exist, in all tabs. */
  async #refresh(stale: TokenPair): Promise<void> {
    // Another tab, or a request just before this one, may have renewed or ended the session already.
    const isRenewed = () => this.options.store.get()?.token !== stale.token;
    this.#refreshing ??= renewOnce(`${this.options.base_url} ${stale.token}`, isRenewed, () =>
      this.#refreshOnce(stale),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #refreshOnce(stale: TokenPair): Promise<void> {
    const current = this.options.store.get();
    if (current === undefined || current.token !== stale.token) return;
    const entry = { method: 'POST', path: '/auth/refresh', kind: 'json' };
    let pair: TokenPair | undefined;
    try {
      const { refresh_token } = current;
      const body = refresh_token === undefined ? {} : { refresh_token };
      pair = readTokenPair(await this.#sendWithRetries(entry, { body }, createKey(), undefined));
    } catch (error) {
      // Only a refusal ends the session: a service that is away for a minute signs nobody out.
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    }
    // Whoever signed out or in while the answer was on its way has another session by now, or none.
    if (this.options.store.get()?.token === current.token) this.keepSession(pair);
  }
}

/** Fills `{name}` in a path and appends the query; a list becomes a repeated parameter. */
function buildAddress(base_url: string, path: string, input: RawInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`The path needs "${name}".`);
    return encodeURIComponent(asText(value));
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
