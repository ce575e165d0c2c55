/** The tokens of one signed-in session, as the service answers them. */
export interface TokenPair {
  readonly token: string;
  /** When the access token ends, RFC 3339. */
  readonly expires_at: string;
  /** Absent where the browser keeps it in a cookie that scripts cannot read. */
  readonly refresh_token?: string;
  readonly refresh_expires_at: string;
  readonly session_id: string;
}

/** Where the client keeps its tokens between requests; every call is immediate. */
export interface TokenStore {
  get(): TokenPair | undefined;
  set(pair: TokenPair): void;
  clear(): void;
}

/** Keeps the tokens for the life of the process or page. */
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
 * Keeps the tokens in Web Storage, shared by every tab of one origin. Where storage is refused (private windows,
 * full disks) the tokens live in memory, so that the page still works until it is closed.
 */
export function localTokenStore(key = 'asterism.session', storage: TextStorage = globalThis.localStorage): TokenStore {
  const fallback = memoryTokenStore();
  const remove = () => {
    try {
      storage.removeItem(key);
    } catch {
      // Storage that cannot be written holds nothing of ours.
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
        // What storage still holds is spent: whoever used it again would end the session.
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

/** Takes a token pair out of a reply that signs somebody in, or undefined when it is another reply. */
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
