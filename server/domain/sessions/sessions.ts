/** Sessions: token pairs, their rotation and revocation. */
import { empty, type Queryable, sql, type Sql } from '../../kernel/database/database.ts';
import type { Origin, Tier } from '../../kernel/caller.ts';
import { fail } from '../../kernel/errors.ts';
import { component, idOf, moment, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import { hashToken, looksLikeToken, generateToken } from '../../kernel/security/secret.ts';
import type { Change } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { sessionChanged, sessionRevoked } from '../accounts/session-events.ts';
import { leaveCallsOfSessions } from '../calls/leave-calls.ts';
import { Account, presentAccount, requireAccount } from '../accounts/accounts.ts';

const access_ttl_s = 60 * 60;
const refresh_ttl_s = 60 * 24 * 60 * 60;
/** How many unused pairs derived from the same one are kept: the newest, so that repeating a refresh stores no more. */
const max_unused_pairs = 3;

export const SignedIn = component(
  'SignedIn',
  object({
    token: Type.String(),
    token_type: oneOf('bearer'),
    expires_at: moment,
    refresh_token: optional(
      Type.String({ description: 'Omitted if the request asked for a cookie (`Asterism-Session: cookie`).' }),
    ),
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

/** Inserts a pair; the oldest unused ones of the same parent end. Children of one parent are numbered without gaps. */
async function insertPair(change: Change, session_id: string, pair: number, parent: number): Promise<Pair> {
  const made = {
    token: generateToken(),
    refresh_token: generateToken(),
    expires_at: after(change.now, access_ttl_s),
    refresh_expires_at: after(change.now, refresh_ttl_s),
  };
  await change.db.run(sql`
    with ended as (
      delete from session_tokens
      where session_id = ${session_id} and parent = ${parent} and pair <= ${pair - max_unused_pairs})
    insert into session_tokens (hash, session_id, kind, pair, parent, expires_at) values
      (${hashToken(made.token)}, ${session_id}, 'access', ${pair}, ${parent}, ${made.expires_at}),
      (${hashToken(made.refresh_token)}, ${session_id}, 'refresh', ${pair}, ${parent}, ${made.refresh_expires_at})`);
  return made;
}

async function presentSignedIn(
  change: Change,
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
    user: presentAccount(user, change),
  };
}

/**
 * Opens a session with its first token pair. Above the limit of sessions, the least recently used ones end.
 * @throws ApiError `account_suspended`; the caller has checked the credentials
 */
export async function signIn(
  change: Change,
  user_id: string,
  origin: Pick<Origin, 'ip' | 'device'>,
): Promise<Static<typeof SignedIn>> {
  // Locked, so that a concurrent suspension either is seen here or ends this session.
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
  await revokeSessionsWhere(
    change,
    user_id,
    sql`and id in (
      select id from sessions where user_id = ${user_id} and revoked_at is null
      order by last_used_at desc, id desc offset ${change.services.limits.sessions}::int)`,
  );
  return presentSignedIn(change, session_id, user_id, pair);
}

/** The kinds of tokens of a session. */
export const token_kinds = ['access', 'refresh'] as const;

/** A token with its session and account. */
export type TokenRow = {
  session_id: string;
  user_id: string;
  kind: (typeof token_kinds)[number];
  token_pair: string;
  parent: string;
  token_expires_at: Date;
  pair: string;
  mobile_verified: boolean;
  tier: Tier;
};

/** The session of a token, unless it has ended. */
export function selectToken(db: Queryable, token: string, lock: boolean): Promise<TokenRow | undefined> {
  return db.maybe<TokenRow>(sql`
    select t.session_id, s.user_id, t.kind, t.pair as token_pair, t.parent, t.expires_at as token_expires_at, s.pair,
           u.mobile_verified, u.tier
    from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = ${hashToken(token)} and s.revoked_at is null and u.deleted_at is null ${lock ? sql`for update of s` : sql``}`);
}

/** Whether a token was valid until its account was suspended. */
async function endedBySuspension(db: Queryable, token: string, now: Date): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = ${hashToken(token)} and t.kind = 'refresh' and t.expires_at > ${now}
      and (t.pair = s.pair or t.parent = s.pair) and s.revoked_at = u.suspended_at and u.deleted_at is null`);
  return row !== undefined;
}

/** A pair is valid while it is the current one, or was derived from it and has not been used yet. */
export const isCurrent = (row: TokenRow) => row.token_pair === row.pair || row.parent === row.pair;

/**
 * The first use of a new pair invalidates the previous one and all others derived from it.
 * @returns false if another pair was used first, or this one has ended meanwhile
 */
export async function adoptTokenPair(db: Queryable, row: TokenRow): Promise<boolean> {
  // A separate statement, so that the next one sees whether a refresh that held this lock has ended the pair.
  await db.run(sql`select 1 from sessions where id = ${row.session_id} for update`);
  const moved = await db.run(sql`
    update sessions set pair = ${row.token_pair}
    where id = ${row.session_id} and pair = ${row.parent} and revoked_at is null
      and exists (select 1 from session_tokens where session_id = ${row.session_id} and pair = ${row.token_pair})`);
  if (moved === 0) return false;
  await db.run(
    sql`delete from session_tokens where session_id = ${row.session_id} and kind = 'access' and pair <> ${row.token_pair}`,
  );
  return true;
}

/**
 * Exchanges a refresh token for a new pair. If the answer is lost, the exchange can be repeated until a new pair is
 * used, and the newest pairs are valid until then. Reuse of an older token after that means that it was stolen, and
 * ends the session (RFC 9700, section 4.14).
 * @throws ApiError `token_invalid`, `account_suspended`
 */
export async function refreshSession(change: Change, refresh_token: string): Promise<Static<typeof SignedIn>> {
  const row = looksLikeToken(refresh_token) ? await selectToken(change.db, refresh_token, true) : undefined;
  if (!row && (await endedBySuspension(change.db, refresh_token, change.now))) fail('account_suspended');
  if (!row || row.kind !== 'refresh' || row.token_expires_at <= change.now) fail('token_invalid');
  if (!isCurrent(row)) {
    await revokeSessions(change, row.user_id, row.session_id);
    fail('token_invalid', { message: 'This token was already used, so the session was ended.', commit: true });
  }
  if (row.parent === row.pair) {
    if (!(await adoptTokenPair(change.db, row))) fail('token_invalid');
    // Announced to all nodes, since the token pair that ends here may be cached on another.
    change.emit(sessionChanged, [`session:${row.session_id}`], { session_id: row.session_id });
    change.afterCommit(() => change.services.sessions.drop(row.session_id));
  }
  const { last_pair } = await change.db.one<{ last_pair: number }>(sql`
    update sessions set last_pair = last_pair + 1, expires_at = ${after(change.now, refresh_ttl_s)}, last_used_at = ${change.now}
    where id = ${row.session_id} returning last_pair`);
  const pair = await insertPair(change, row.session_id, Number(last_pair), Number(row.token_pair));
  return presentSignedIn(change, row.session_id, row.user_id, pair);
}

/** Revokes a user's sessions, or one of them. @returns those that were revoked */
export const revokeSessions = (change: Change, user_id: string, session_id?: string): Promise<string[]> =>
  revokeSessionsWhere(change, user_id, session_id === undefined ? empty : sql`and id = ${session_id}`);

/**
 * Revokes sessions of a user: their tokens at once on this node and within a second on every other; their sockets and
 * calls end.
 */
async function revokeSessionsWhere(change: Change, user_id: string, which: Sql): Promise<string[]> {
  // Devices receive no more pushes for an account that has signed out of them.
  const rows = await change.db.many<{ id: string }>(sql`
    with ended as (
      update sessions set revoked_at = ${change.now} where user_id = ${user_id} and revoked_at is null ${which} returning id),
    silenced as (delete from push_tokens using ended where session_id = ended.id)
    select id from ended`);
  await leaveCallsOfSessions(
    change,
    rows.map(({ id }) => id),
  );
  for (const { id } of rows) change.emit(sessionRevoked, [`session:${id}`], { session_id: id });
  change.afterCommit(() => {
    for (const { id } of rows) change.services.sessions.drop(id);
  });
  return rows.map(({ id }) => id);
}
