import { operations } from './generated/operations.ts';
import { iterate } from './iterate.ts';
import type { Page, PageQuery } from './iterate.ts';
import type { OperationCalls, OperationEntry } from './operation-types.ts';
import { RealtimeStream } from './realtime.ts';
import type { StreamGrant, StreamOptions } from './realtime.ts';
import { notifyListeners } from './notify-listeners.ts';
import { memoryTokenStore, readTokenPair } from './token-store.ts';
import type { TokenPair, TokenStore } from './token-store.ts';
import { Transport } from './transport.ts';
import type { RawInput } from './transport.ts';

/** How to reach one service. */
export interface AsterismOptions {
  /** Versioned base URL: `https://host/v1`, or `/v1` in a page that the service itself serves. */
  base_url: string;
  /** Where the tokens are stored; in memory by default. */
  store?: TokenStore;
  fetch?: typeof fetch;
  /**
   * For a page that the service itself serves: the refresh token is stored in a cookie that scripts cannot read, and
   * the store holds only the access token. False by default.
   */
  session_cookie?: boolean;
  /** The language of error messages, a BCP 47 tag, evaluated at each request; the runtime's language by default. */
  language?: () => string;
  /** The timeout of one request, in milliseconds; 30,000 by default. */
  timeout_ms?: number;
  /** The timeout of a request that carries a file, in milliseconds; 600,000 by default. */
  upload_timeout_ms?: number;
  /** How often a repeatable request is retried; 2 by default. */
  max_retries?: number;
  /** The first pause before a retry, in milliseconds; 300 by default. */
  retry_delay_ms?: number;
}

/** The client: every operation as `sdk.AREA.OPERATION(input)`, the session and the realtime stream. */
export interface Asterism extends OperationCalls {
  readonly session: {
    /** The tokens of the session, or undefined when signed out. */
    get(): TokenPair | undefined;
    /** Discards the tokens on this device without notifying the service. */
    clear(): void;
    /** Calls the listener at each sign-in, refresh and end of the session. @returns a function that unsubscribes */
    onChange(listener: (pair: TokenPair | undefined) => void): () => void;
  };
  /**
   * Calls the listener with the position in the stream of events at which each GET was answered. A stream that starts at
   * the earliest of them (`comparePositions`) has every later change of what was read. @returns a function that
   * unsubscribes
   */
  onPosition(listener: (position: string) => void): () => void;
  /** Opens the realtime stream of the signed-in account. */
  openRealtime(options?: Omit<StreamOptions, 'createGrant'>): RealtimeStream;
}

/** Operations that invalidate every token of the caller. */
const ENDING = new Set(['logout', 'revokeAllSessions', 'deleteMe']);

type Call = (input?: RawInput) => Promise<unknown>;

/** Makes the operation of a list iterable to the end of the list. */
function walk(call: Call, { paging = 'offset', cursor, offset_with = [] }: OperationEntry) {
  return (input: RawInput = {}) => {
    // The offset is where the iteration starts, and not that of each page.
    const { offset = 0, ...query } = input.query ?? {};
    const load = (page: PageQuery) => call({ ...input, query: { ...query, ...page } }) as Promise<Page<unknown>>;
    const by = offset_with.some((name) => query[name] !== undefined) ? 'offset' : paging;
    return iterate(load, by, Number(offset), cursor);
  };
}

/** Creates a client. A reply that contains a token pair is stored as the session automatically. */
export function createAsterism(options: AsterismOptions): Asterism {
  const listeners = new Set<(pair: TokenPair | undefined) => void>();
  const position_listeners = new Set<(position: string) => void>();
  const store = options.store ?? memoryTokenStore();
  const transport = new Transport({
    base_url: options.base_url.replace(/(?<!\/)\/+$/, ''),
    store,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    session_cookie: options.session_cookie ?? false,
    language: options.language,
    onPosition: (position) => notifyListeners(position_listeners, position),
    timeout_ms: options.timeout_ms ?? 30_000,
    upload_timeout_ms: options.upload_timeout_ms ?? 600_000,
    max_retries: options.max_retries ?? 2,
    retry_delay_ms: options.retry_delay_ms ?? 300,
    onSession: (pair) => {
      notifyListeners(listeners, pair);
    },
  });

  const send = async (name: string, entry: OperationEntry, input: RawInput): Promise<unknown> => {
    const reply = await transport.send(entry, input);
    const pair = readTokenPair(reply);
    if (pair !== undefined) transport.storeSession(pair);
    else if (ENDING.has(name)) transport.storeSession(undefined);
    return reply;
  };

  const areas: Record<string, Record<string, Call>> = {};
  for (const [area, entries] of Object.entries(operations)) {
    const calls: Record<string, Call> = {};
    for (const [name, entry] of Object.entries<OperationEntry>(entries)) {
      const call: Call = (input = {}) => send(name, entry, input);
      calls[name] = entry.paging === undefined ? call : Object.assign(call, { iterate: walk(call, entry) });
    }
    areas[area] = calls;
  }

  const createGrant = async () => (await areas['realtime']?.['createRealtimeGrant']?.()) as StreamGrant;
  return {
    ...(areas as unknown as OperationCalls),
    session: {
      get: () => store.get(),
      clear: () => transport.storeSession(undefined),
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    onPosition: (listener) => {
      position_listeners.add(listener);
      return () => void position_listeners.delete(listener);
    },
    openRealtime: (stream = {}) => new RealtimeStream({ ...stream, createGrant }),
  };
}
