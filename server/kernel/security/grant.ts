/** Realtime grants: tokens for one connection each, signed so that issuing one needs no storage. */
import { randomBytes } from 'node:crypto';
import { sql, type Queryable, type Sql } from '../database/database.ts';
import { callerIdOf, sessionIdOf, type Caller, type Guest } from '../caller.ts';
import type { Clock } from '../time.ts';
import type { Secrets } from './secret.ts';
import { after } from '../time.ts';

const ttl_s = 60;

/** What grants are signed with and checked against. */
type Signer = { clock: Clock; secrets: Secrets };
type Holders = { db: Queryable; clock: Clock };

/** The owner of a connection. For a guest: their identifier, that of the widget or call, and the token's expiry. */
export type GrantOwner = { user_id: string; session_id: string; until?: Date | undefined };

/** A token that lets a session connect once within a minute. */
export function createGrant(services: Signer, caller: Caller | Guest): { token: string; expires_at: Date } {
  const expires_at = after(services.clock.now(), ttl_s);
  const claims = [
    callerIdOf(caller),
    sessionIdOf(caller),
    String(expires_at.getTime()),
    randomBytes(9).toString('base64url'),
  ].join('.');
  return { token: `${claims}.${services.secrets.sign('realtime', claims)}`, expires_at };
}

/** The session, widget or call of a connection, with the expiry of a guest's token; no row when it has ended. */
const holderOf = ({ user_id, session_id }: GrantOwner, now: Date): Sql => sql`
  select null::timestamptz as until from sessions
  where id = ${session_id} and user_id = ${user_id} and revoked_at is null and expires_at > ${now}
  union all
  select gu.expires_at from guests gu join widgets w on w.id = gu.widget_id
  where gu.id = ${user_id} and w.id = ${session_id} and w.enabled and w.deleted_at is null
    and gu.created_at >= w.guests_since and gu.expires_at > ${now}
  union all
  select gu.expires_at from guests gu join calls c on c.id = gu.call_id
  where gu.id = ${user_id} and c.id = ${session_id} and c.state <> 'ended' and gu.admission <> 'declined'
    and gu.expires_at > ${now}`;

/** Whether the session of a connection has neither ended nor expired, or the widget or call of a guest. */
export async function isHolder({ db, clock }: Holders, owner: GrantOwner): Promise<boolean> {
  return (await db.maybe(holderOf(owner, clock.now()))) !== undefined;
}

/**
 * Redeems a grant, once. Undefined when it is forged, expired or used, or its session has ended.
 * @param admit limits the uses of its owner, before the database looks for it: a used one can be sent endlessly
 */
export async function redeemGrant(
  services: Signer & Holders,
  token: string,
  admit: (owner_id: string) => Promise<unknown> | void,
): Promise<GrantOwner | undefined> {
  const at = token.lastIndexOf('.');
  const claims = token.slice(0, at);
  if (at < 0 || !services.secrets.verify('realtime', claims, token.slice(at + 1))) return undefined;
  const [user_id, session_id, expires_ms, nonce] = claims.split('.');
  if (!user_id || !session_id || Number(expires_ms) <= services.clock.now().getTime()) return undefined;
  await admit(user_id);
  const row = await services.db.maybe<{ until: Date | null }>(sql`
    with holder as (${holderOf({ user_id, session_id }, services.clock.now())}),
    spent as (
      insert into spent_grants (nonce, expires_at)
      select ${nonce}, ${new Date(Number(expires_ms))}::timestamptz from holder on conflict do nothing returning nonce)
    select holder.until from holder, spent`);
  return row && { user_id, session_id, until: row.until ?? undefined };
}
