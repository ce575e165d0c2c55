import { sql } from '../../kernel/database/database.ts';
import type { Caller } from '../../kernel/caller.ts';
import { found } from '../../kernel/errors.ts';
import type { Static } from '../../kernel/schema.ts';
import { equalSecret } from '../../kernel/security/secret.ts';
import type { Change } from '../../kernel/services.ts';
import type { PushTarget } from '../../domain/notifications/push.ts';
import { isActive } from '../../domain/visibility/people.ts';
import { hashDevice, unpadded, type DeviceProof } from './schemas.ts';

type Device = { hash: string; platform: string; sealed: string };

/**
 * Assigns a device to the caller, also one of another account, as the only one of its platform in this session: an app with a
 * changed token is still one device. The session is locked, so that a session that is being revoked receives no device;
 * undefined when it is gone. `known` is whether it was the caller's before.
 */
export async function replaceDevice(
  { db, now }: Change,
  { user_id, session_id }: Pick<Caller, 'user_id' | 'session_id'>,
  { hash, platform, sealed }: Device,
): Promise<{ known: boolean; created_at: Date } | undefined> {
  const live = await db.run(sql`select 1 from sessions where id = ${session_id} and revoked_at is null for share`);
  if (live === 0) return undefined;
  const before = await db.maybe<{ user_id: string }>(
    sql`select user_id from push_tokens where hash = ${hash} for update`,
  );
  await db.run(
    sql`delete from push_tokens where session_id = ${session_id} and platform = ${platform} and hash <> ${hash}`,
  );
  const { created_at } = await db.one<{ created_at: Date }>(sql`
    insert into push_tokens (hash, user_id, session_id, platform, sealed, created_at)
    values (${hash}, ${user_id}, ${session_id}, ${platform}, ${sealed}, ${now})
    on conflict (hash) do update set
      created_at = case when push_tokens.user_id = excluded.user_id then push_tokens.created_at else excluded.created_at end,
      user_id = excluded.user_id, session_id = excluded.session_id, platform = excluded.platform, sealed = excluded.sealed
    returning created_at`);
  return { known: before?.user_id === user_id, created_at };
}

/** Deletes a device of the caller's; by default, those of this session. */
export async function deleteDevice(
  { db }: Change,
  { user_id, session_id }: Caller,
  hash: string | undefined,
): Promise<void> {
  const which = hash === undefined ? sql`session_id = ${session_id}` : sql`hash = ${hash}`;
  await db.run(sql`delete from push_tokens where user_id = ${user_id} and ${which}`);
}

/**
 * The owner of the device that authenticates with the secret of its subscription, while its session is valid.
 * @throws ApiError `not_found`, the same for a wrong secret and an unknown device
 */
export async function requireDevice(
  { db, now, services: { secrets } }: Change,
  { endpoint, auth }: Static<typeof DeviceProof>,
): Promise<{ user_id: string; session_id: string }> {
  const device = found(
    await db.maybe<{ user_id: string; session_id: string; sealed: string }>(sql`
      select p.user_id, p.session_id, p.sealed
      from push_tokens p join sessions se on se.id = p.session_id join users u on u.id = p.user_id
      where p.hash = ${hashDevice(endpoint)} and p.platform = 'web' and se.revoked_at is null and se.expires_at > ${now}
        and ${isActive()}`),
  );
  const target = secrets.unseal(device.sealed) as PushTarget;
  const is_proved = target.platform === 'web' && equalSecret(target.subscription.keys.auth, unpadded(auth));
  return found(is_proved ? device : undefined);
}
