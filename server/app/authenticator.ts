/** Token lookup, which needs no database round trip while nothing changes. */
import { sql } from '../kernel/database/database.ts';
import { isGuest, sessionIdOf, type Caller, type Guest } from '../kernel/caller.ts';
import { hashToken, looksLikeToken } from '../kernel/security/secret.ts';
import { change as inChange, type Services } from '../kernel/services.ts';
import { after } from '../kernel/time.ts';
import { sessionChanged } from '../domain/accounts/session-events.ts';
import { isCurrent, adoptTokenPair, selectToken } from '../domain/sessions/sessions.ts';
import { selectGuest } from '../domain/widgets/widgets.ts';

type Cached = { caller: Caller | Guest; expires_at: Date; read_at_ms: number };

/** Resolves bearer tokens to accounts and guests. */
export type Authenticator = {
  /** The owner of a token; undefined when it is unknown, expired or revoked. */
  authenticate(
    token: string,
    request: { ip: string; device: string },
  ): Caller | Guest | undefined | Promise<Caller | Guest | undefined>;
  /** The account of a token that this node has verified before, which gives no access: only the turn of a request. */
  recall(token: string): string | undefined;
};

/** After this time a cached session is read again, which also records its last use. */
const cache_ttl_ms = 60_000;
const cache_size = 50_000;

/**
 * The sessions and guests that this node has read, by the hash of their token. Guests are dropped with their widget.
 */
export class SessionCache {
  private readonly entries = new Map<string, Cached>();
  private readonly by_session = new Map<string, Set<string>>();

  get(hash: string): Cached | undefined {
    return this.entries.get(hash);
  }

  put(hash: string, entry: Cached): void {
    if (this.entries.size >= cache_size) this.clear();
    this.entries.set(hash, entry);
    const id = sessionIdOf(entry.caller);
    this.by_session.set(id, (this.by_session.get(id) ?? new Set()).add(hash));
  }

  /** Drops a session. */
  drop(session_id: string): void {
    for (const hash of this.by_session.get(session_id) ?? []) this.entries.delete(hash);
    this.by_session.delete(session_id);
    // Cleared before this session is recorded, since a read of it may be in flight.
    if (this.dropped_at_ms.size >= cache_size) this.dropped_at_ms.clear();
    this.dropped_at_ms.set(session_id, performance.now());
  }

  /** When a session was last dropped, so that the result of an earlier read is not cached. */
  readonly dropped_at_ms = new Map<string, number>();

  clear(): void {
    this.entries.clear();
    this.by_session.clear();
  }
}

/** Creates the cached token lookup; the cache is only used while revocations are sure to arrive. */
export function createAuthenticator(services: Services, sessions: SessionCache): Authenticator {
  const { db, clock } = services;
  async function read(
    token: string,
    hash: string,
    request: { ip: string; device: string },
  ): Promise<Caller | undefined> {
    const started_ms = performance.now();
    const row = await selectToken(db, token, false);
    const now = clock.now();
    if (!row || row.kind !== 'access' || row.token_expires_at <= now || !isCurrent(row)) return undefined;
    if (row.token_pair !== row.pair) {
      const promoted = await inChange(services, async (one) => {
        // Announced to all nodes, since the token pair that ends here may be cached on another.
        one.emit(sessionChanged, [`session:${row.session_id}`], { session_id: row.session_id });
        one.afterCommit(() => sessions.drop(row.session_id));
        return adoptTokenPair(one.db, row);
      });
      if (!promoted) return read(token, hash, request);
    }
    await db.run(sql`
      update sessions set last_used_at = ${now}, ip = ${request.ip}, device = ${request.device}
      where id = ${row.session_id} and last_used_at < ${after(now, -cache_ttl_ms / 1000)}`);
    const caller: Caller = {
      user_id: row.user_id,
      session_id: row.session_id,
      mobile_verified: row.mobile_verified,
      tier: row.tier,
    };
    keep(hash, caller, row.token_expires_at, started_ms);
    return caller;
  }
  async function readGuest(hash: string): Promise<Guest | undefined> {
    const started_ms = performance.now();
    const row = await selectGuest(db, hash, clock.now());
    if (!row) return undefined;
    const { expires_at, ...guest } = row;
    keep(hash, guest, expires_at, started_ms);
    return guest;
  }
  function keep(hash: string, caller: Caller | Guest, expires_at: Date, started_ms: number): void {
    const dropped_ms = sessions.dropped_at_ms.get(sessionIdOf(caller)) ?? -1;
    if (dropped_ms < started_ms) sessions.put(hash, { caller, expires_at, read_at_ms: started_ms });
  }
  return {
    recall(token) {
      const known = sessions.get(hashToken(token));
      return known && !isGuest(known.caller) && known.expires_at > clock.now() ? known.caller.user_id : undefined;
    },
    authenticate(token, request) {
      const hash = hashToken(token);
      const known = sessions.get(hash);
      // Without the bus nothing announces new outbox events, and a revocation on another node would be seen one poll
      // late.
      const is_cache_fresh = services.bus.isConnected() && services.realtime.isFresh();
      if (known && is_cache_fresh && performance.now() - known.read_at_ms < cache_ttl_ms) {
        return known.expires_at > clock.now() ? known.caller : undefined;
      }
      if (looksLikeToken(token, 'astg_')) return readGuest(hash);
      return looksLikeToken(token) ? read(token, hash, request) : undefined;
    },
  };
}
