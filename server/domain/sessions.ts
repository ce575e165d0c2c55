/** Sessions: pairs of tokens, their rotation, and the look-up that costs nothing while nothing changes. */
import { sql, type Queryable } from '../kernel/database.ts';
import type { Caller, Origin } from '../kernel/endpoint.ts';
import { event } from '../kernel/event.ts';
import { fail } from '../kernel/errors.ts';
import { component, idOf, moment, object, oneOf, Type, type Static } from '../kernel/schema.ts';
import { hashToken, looksLikeToken, makeToken } from '../kernel/secret.ts';
import { change as inChange, type Change, type Services } from '../kernel/services.ts';
import { after, wireTime } from '../kernel/time.ts';
import { Account, presentAccount, requireAccount } from './accounts.ts';

export const access_ttl_s = 60 * 60;
export const refresh_ttl_s = 60 * 24 * 60 * 60;

export const sessionRevoked = event(
  'session.revoked',
  'A session has ended; its sockets close.',
  object({ session_id: idOf('ses') }),
);

export const SignedIn = component(
  'SignedIn',
  object({
    token: Type.String(),
    token_type: oneOf('bearer'),
    expires_at: moment,
    refresh_token: Type.String(),
    refresh_expires_at: moment,
    session_id: idOf('ses'),
    user: Account,
  }),
);

/** @throws ApiError `account_suspended` */
export function refuseSuspended(user: { suspended_at: Date | null }): void {
  if (user.suspended_at) fail('account_suspended');
}

type Pair = { token: string; refresh_token: string; expires_at: Date; refresh_expires_at: Date };

async function insertPair(change: Change, session_id: string, pair: number, parent: number): Promise<Pair> {
  const made = {
    token: makeToken(),
    refresh_token: makeToken(),
    expires_at: after(change.now, access_ttl_s),
    refresh_expires_at: after(change.now, refresh_ttl_s),
  };
  await change.db.run(sql`
    insert into session_tokens (hash, session_id, kind, pair, parent, expires_at) values
      (${hashToken(made.token)}, ${session_id}, 'access', ${pair}, ${parent}, ${made.expires_at}),
      (${hashToken(made.refresh_token)}, ${session_id}, 'refresh', ${pair}, ${parent}, ${made.refresh_expires_at})`);
  return made;
}

async function presentSignedIn(
  change: Change,
  services: Services,
  session_id: string,
  user_id: string,
  pair: Pair,
): Promise<Static<typeof SignedIn>> {
  const user = await requireAccount(change.db, user_id);
  return {
    token: pair.token,
    token_type: 'bearer',
    expires_at: wireTime(pair.expires_at),
    refresh_token: pair.refresh_token,
    refresh_expires_at: wireTime(pair.refresh_expires_at),
    session_id,
    user: presentAccount(user, services.public_url),
  };
}

/**
 * Opens a session with its first pair of tokens.
 * @throws ApiError `account_suspended`; whoever calls has seen the right credentials
 */
export async function signIn(
  change: Change,
  services: Services,
  user_id: string,
  origin: Pick<Origin, 'ip' | 'device'>,
): Promise<Static<typeof SignedIn>> {
  // Held, so that a suspension at the same time either is seen here or ends this session.
  refuseSuspended(
    await change.db.one<{ suspended_at: Date | null }>(
      sql`select suspended_at from users where id = ${user_id} for share`,
    ),
  );
  const session_id = change.id('ses');
  await change.db.run(sql`
    insert into sessions (id, user_id, device, ip, created_at, last_used_at, expires_at)
    values (${session_id}, ${user_id}, ${origin.device}, ${origin.ip}, ${change.now}, ${change.now}, ${after(change.now, refresh_ttl_s)})`);
  const pair = await insertPair(change, session_id, 1, 0);
  return presentSignedIn(change, services, session_id, user_id, pair);
}

type TokenRow = {
  session_id: string;
  user_id: string;
  kind: 'access' | 'refresh';
  token_pair: string;
  parent: string;
  token_expires_at: Date;
  pair: string;
  mobile_verified: boolean;
  tier: 'free' | 'plus';
};

function selectToken(db: Queryable, token: string, lock: boolean): Promise<TokenRow | undefined> {
  return db.maybe<TokenRow>(sql`
    select t.session_id, s.user_id, t.kind, t.pair as token_pair, t.parent, t.expires_at as token_expires_at, s.pair,
           u.mobile_verified, u.tier
    from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = ${hashToken(token)} and s.revoked_at is null and u.deleted_at is null ${lock ? sql`for update of s` : sql``}`);
}

/** Whether a token was good until the suspension of its account ended the session. */
async function endedBySuspension(db: Queryable, token: string, now: Date): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = ${hashToken(token)} and t.kind = 'refresh' and t.expires_at > ${now}
      and (t.pair = s.pair or t.parent = s.pair) and s.revoked_at = u.suspended_at and u.deleted_at is null`);
  return row !== undefined;
}

/** A pair is good while it is the one in use, or was made from the one in use and waits for its first use. */
const isGood = (row: TokenRow) => row.token_pair === row.pair || row.parent === row.pair;

/** The first use of a new pair ends the one before and all others that were made from it. */
async function promotePair(db: Queryable, row: TokenRow): Promise<boolean> {
  const moved = await db.run(
    sql`update sessions set pair = ${row.token_pair} where id = ${row.session_id} and pair = ${row.parent} and revoked_at is null`,
  );
  if (moved === 0) return false;
  await db.run(
    sql`delete from session_tokens where session_id = ${row.session_id} and kind = 'access' and pair <> ${row.token_pair}`,
  );
  return true;
}

/**
 * Exchanges a refresh token for a new pair. An answer that was lost can be asked for again, until a new pair is used;
 * an older token coming back after that means that somebody has a copy, and ends the session (RFC 9700, section 4.14).
 * @throws ApiError `token_invalid`, `account_suspended`
 */
export async function refreshSession(
  change: Change,
  services: Services,
  refresh_token: string,
): Promise<Static<typeof SignedIn>> {
  const row = looksLikeToken(refresh_token) ? await selectToken(change.db, refresh_token, true) : undefined;
  if (!row && (await endedBySuspension(change.db, refresh_token, change.now))) fail('account_suspended');
  if (!row || row.kind !== 'refresh' || row.token_expires_at <= change.now) fail('token_invalid');
  if (!isGood(row)) {
    await revokeSessions(change, services, row.user_id, sql`and id = ${row.session_id}`);
    fail('token_invalid', { message: 'This token was used before; the session has ended.', commit: true });
  }
  if (row.parent === row.pair) {
    await promotePair(change.db, row);
    change.afterCommit(() => services.sessions.drop(row.session_id));
  }
  const { last_pair } = await change.db.one<{ last_pair: number }>(sql`
    update sessions set last_pair = last_pair + 1, expires_at = ${after(change.now, refresh_ttl_s)}, last_used_at = ${change.now}
    where id = ${row.session_id} returning last_pair`);
  const pair = await insertPair(change, row.session_id, Number(last_pair), Number(row.token_pair));
  return presentSignedIn(change, services, row.session_id, row.user_id, pair);
}

/** Ends sessions of a user: their tokens at once here, within a second on every node; their sockets close. */
export async function revokeSessions(
  change: Change,
  services: Services,
  user_id: string,
  which = sql``,
): Promise<string[]> {
  const rows = await change.db.many<{ id: string }>(sql`
    update sessions set revoked_at = ${change.now} where user_id = ${user_id} and revoked_at is null ${which} returning id`);
  for (const { id } of rows) change.emit(sessionRevoked, [`session:${id}`], { session_id: id });
  change.afterCommit(() => {
    for (const { id } of rows) services.sessions.drop(id);
  });
  return rows.map(({ id }) => id);
}

/** Makes the cached sessions of a user read again, when what the gate asks of them has changed. */
export async function renewSessions(change: Change, services: Services, user_id: string): Promise<void> {
  const rows = await change.db.many<{ id: string }>(
    sql`select id from sessions where user_id = ${user_id} and revoked_at is null`,
  );
  for (const { id } of rows) change.emit(sessionChanged, [`session:${id}`], { session_id: id });
  change.afterCommit(() => {
    for (const { id } of rows) services.sessions.drop(id);
  });
}

/** Read by every node's cache; clients may refetch their account on it. */
export const sessionChanged = event(
  'session.changed',
  'What the session may do has changed.',
  object({ session_id: idOf('ses') }),
);

type Cached = { caller: Caller; expires_at: Date; read_at_ms: number };

export type Authenticator = {
  /** Who a token belongs to; undefined when it is unknown, expired or revoked. */
  authenticate(
    token: string,
    request: { ip: string; device: string },
  ): Caller | undefined | Promise<Caller | undefined>;
};

/** After this long a cached session is read again, which also notes that it is in use. */
const cache_ttl_ms = 60_000;
const cache_size = 50_000;

/** The sessions that this node knows, by the hash of their token. */
export class SessionCache {
  private readonly entries = new Map<string, Cached>();
  private readonly by_session = new Map<string, Set<string>>();

  get(hash: string): Cached | undefined {
    return this.entries.get(hash);
  }

  put(hash: string, entry: Cached): void {
    if (this.entries.size >= cache_size) this.clear();
    this.entries.set(hash, entry);
    const id = entry.caller.session_id;
    this.by_session.set(id, (this.by_session.get(id) ?? new Set()).add(hash));
  }

  /** Forgets a session. */
  drop(session_id: string): void {
    for (const hash of this.by_session.get(session_id) ?? []) this.entries.delete(hash);
    this.by_session.delete(session_id);
    this.dropped_at_ms.set(session_id, performance.now());
    if (this.dropped_at_ms.size > cache_size) this.dropped_at_ms.clear();
  }

  /** When a session was last forgotten, so that a read that began before is not kept. */
  readonly dropped_at_ms = new Map<string, number>();

  clear(): void {
    this.entries.clear();
    this.by_session.clear();
  }
}

/** Makes the look-up of tokens over the cache; the cache is trusted only while revocations are sure to arrive. */
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
    if (!row || row.kind !== 'access' || row.token_expires_at <= now || !isGood(row)) return undefined;
    if (row.token_pair !== row.pair) {
      const promoted = await inChange(services, async (one) => {
        // Told to all nodes, since the pair that ends here may be in the cache of another.
        one.emit(sessionChanged, [`session:${row.session_id}`], { session_id: row.session_id });
        one.afterCommit(() => sessions.drop(row.session_id));
        return promotePair(one.db, row);
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
    const dropped_ms = sessions.dropped_at_ms.get(row.session_id) ?? -1;
    if (dropped_ms < started_ms)
      sessions.put(hash, { caller, expires_at: row.token_expires_at, read_at_ms: started_ms });
    return caller;
  }
  return {
    authenticate(token, request) {
      if (!looksLikeToken(token)) return undefined;
      const hash = hashToken(token);
      const known = sessions.get(hash);
      // Without the link nobody says that the outbox has grown, and a revocation elsewhere would be read a turn late.
      const is_told = services.bus.isConnected() && services.realtime.isFresh();
      if (known && is_told && performance.now() - known.read_at_ms < cache_ttl_ms) {
        return known.expires_at > clock.now() ? known.caller : undefined;
      }
      return read(token, hash, request);
    },
  };
}
