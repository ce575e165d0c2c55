/** Realtime grants: a token for one connection, signed, so that making one costs nothing. */
import { randomBytes } from 'node:crypto';
import { sql } from './database.ts';
import type { Caller } from './endpoint.ts';
import type { Services } from './services.ts';
import { after } from './time.ts';

const ttl_s = 60;

export type Granted = { user_id: string; session_id: string };

/** A token that lets a session connect once within a minute. */
export function makeGrant(services: Services, caller: Caller): { token: string; expires_at: Date } {
  const expires_at = after(services.clock.now(), ttl_s);
  const claims = [
    caller.user_id,
    caller.session_id,
    String(expires_at.getTime()),
    randomBytes(9).toString('base64url'),
  ].join('.');
  return { token: `${claims}.${services.secrets.sign('realtime', claims)}`, expires_at };
}

/** Uses a grant up. Undefined when it is forged, expired or used, or its session has ended. */
export async function spendGrant(services: Services, token: string): Promise<Granted | undefined> {
  const at = token.lastIndexOf('.');
  const claims = token.slice(0, at);
  if (at < 0 || !services.secrets.verify('realtime', claims, token.slice(at + 1))) return undefined;
  const [user_id, session_id, expires_ms, nonce] = claims.split('.');
  if (!user_id || !session_id || Number(expires_ms) <= services.clock.now().getTime()) return undefined;
  const spent = await services.db.run(sql`
    insert into spent_grants (nonce, expires_at)
    select ${nonce}, ${new Date(Number(expires_ms))}::timestamptz
    from sessions where id = ${session_id} and revoked_at is null
    on conflict do nothing`);
  return spent > 0 ? { user_id, session_id } : undefined;
}
