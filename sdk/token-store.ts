/** The tokens of one signed-in session, as the service returns them. */
export interface TokenPair {
  readonly token: string;
  /** When the access token expires, RFC 3339. */
  readonly expires_at: string;
  /** Absent when the browser stores it in a cookie that scripts cannot read. */
  readonly refresh_token?: string;
  readonly refresh_expires_at: string;
  readonly session_id: string;
}

/** Where the client stores its tokens between requests; every method is synchronous. */
export interface TokenStore {
  get(): TokenPair | undefined;
  set(pair: TokenPair): void;
  clear(): void;
}

/** Stores the tokens for the lifetime of the process or page. */
export function memoryTokenStore(initial?: TokenPair): TokenStore {
  let current = initial;
  return {
    get: () => current,
    set: (pair) => {
      current = pair;
    },
    clear: () => {
      current = undefined;
    },
  };
}

/** The part of the Web Storage interface that is used here. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Stores the tokens in Web Storage, shared by all tabs of one origin. Where storage is unavailable (private windows,
 * full disks) the tokens are held in memory, so that the page works until it is closed.
 */
export function localTokenStore(key = 'asterism.session', storage: TextStorage = globalThis.localStorage): TokenStore {
  const fallback = memoryTokenStore();
  const remove = () => {
    try {
      storage.removeItem(key);
    } catch {
      // Storage that cannot be written holds no tokens of ours.
    }
  };
  return {
    get: () => {
      try {
        const text = storage.getItem(key);
        return text === null ? fallback.get() : parseTokenPair(text);
      } catch {
        return fallback.get();
      }
    },
    set: (pair) => {
      try {
        storage.setItem(key, JSON.stringify(pair));
        fallback.clear();
      } catch {
        // The stored token is already used: using it again would end the session.
        remove();
        fallback.set(pair);
      }
    },
    clear: () => {
      fallback.clear();
      remove();
    },
  };
}

/** Extracts the token pair of a reply that signs in; undefined for any other reply. */
export function readTokenPair(value: unknown): TokenPair | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { token, expires_at, refresh_token, refresh_expires_at, session_id } = value as Record<string, unknown>;
  if (typeof token !== 'string' || typeof session_id !== 'string') return undefined;
  if (typeof expires_at !== 'string' || typeof refresh_expires_at !== 'string') return undefined;
  const kept = typeof refresh_token === 'string' ? { refresh_token } : {};
  return { token, expires_at, ...kept, refresh_expires_at, session_id };
}

function parseTokenPair(text: string): TokenPair | undefined {
  try {
    return readTokenPair(JSON.parse(text));
  } catch {
    return undefined;
  }
}
