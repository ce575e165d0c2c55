/** Rate limits for password guesses, designed so that a stranger's guesses cannot lock a person out. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Origin } from '../../kernel/caller.ts';
import { isDeviceOf } from '../../kernel/http/http-session-cookie.ts';
import type { Services } from '../../kernel/services.ts';
import { networkOf } from '../../kernel/load/client-address.ts';
import type { ThrottleClass } from '../../kernel/load/throttle.ts';

/** The number of newest sessions whose networks are compared with that of a sign-in. */
const max_compared_sessions = 100;

type Attempt = { name: string; user_id: string | undefined; origin: Origin };

/**
 * Counts one guess: on a device that has signed in to the account before, against that device's own budget; elsewhere
 * against the budget of the network for this account and against one for the account as a whole. The latter is not
 * applied to networks from which the account has a session.
 * @throws ApiError `rate_limited`
 */
export async function countGuess(
  consume: (name: ThrottleClass, key: string) => Promise<void>,
  { db, secrets }: Services,
  { name, user_id, origin }: Attempt,
): Promise<void> {
  const { device_cookie, ip } = origin;
  if (user_id && device_cookie && isDeviceOf(secrets, device_cookie, user_id))
    return consume('sign_in', `device ${device_cookie}`);
  await consume('sign_in', `${name} ${ip}`);
  await consume('sign_in_account', name).catch(async (error: unknown) => {
    if (!user_id || !(await hasSessionFrom(db, user_id, ip))) throw error;
  });
}

async function hasSessionFrom(db: Queryable, user_id: string, ip: string): Promise<boolean> {
  const rows = await db.many<{ ip: string }>(sql`
    select ip from sessions where user_id = ${user_id} and revoked_at is null
    order by id desc limit ${max_compared_sessions}::int`);
  return rows.some((session) => networkOf(session.ip) === networkOf(ip));
}
