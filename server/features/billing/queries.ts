import type { plan_limits } from '../../domain/accounts/entitlements.ts';
import type { Tier } from '../../kernel/caller.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

type Waiting = { session_id: string; checkout_url: string; expires_at: Date };

/** The usage of each plan limit, in one round trip. */
export function selectUsage(
  db: Queryable,
  user_id: string,
  now: Date,
): Promise<Record<keyof (typeof plan_limits)['free'], number>> {
  return db.one(sql`
    select (select count(*)::int from tags where owner_id = u.id and deleted_at is null) as tags,
           (select count(*)::int from groups where owner_id = u.id and deleted_at is null) as groups,
           (select count(*)::int from grid_members where owner_id = u.id) as grid_members,
           (select count(*)::int from call_participants p join calls c on c.id = p.call_id
            where c.host_id = u.id and c.state <> 'ended' and p.state in ('ringing', 'joining', 'joined')) as call_participants,
           (select count(*)::int from scheduled_jobs where user_id = u.id and state = 'scheduled') as scheduled_jobs, u.storage_bytes::float8 as storage_bytes,
           (select count(*)::int from location_links k
             where k.owner_id = u.id and k.revoked_at is null and k.expires_at > ${now}) as location_links,
           (select count(*)::int from widgets where owner_id = u.id and deleted_at is null) as widgets
    from users u where u.id = ${user_id}`);
}

type Buyer = { tier: Tier; email: string | null; open: (Omit<Waiting, 'expires_at'> & { expires_at: string }) | null };

/** The buyer: their plan, their verified address, and their open checkout. */
export async function selectBuyer(db: Queryable, user_id: string, now: Date): Promise<Buyer> {
  return db.one<Buyer>(sql`
    select u.tier, case when u.email_verified then u.email end as email, (
      select json_build_object('session_id', session_id, 'checkout_url', checkout_url, 'expires_at', expires_at)
      from checkouts where user_id = u.id and state = 'open' and expires_at > ${now}) as open
    from users u where u.id = ${user_id}`);
}

/** Stores a checkout, unless another is open: returns the open one. */
export async function insertCheckout(db: Queryable, user_id: string, made: Waiting, now: Date): Promise<Waiting> {
  await db.run(sql`
    update checkouts set state = 'cancelled' where user_id = ${user_id} and state = 'open' and expires_at <= ${now}`);
  await db.run(sql`
    insert into checkouts (session_id, user_id, checkout_url, created_at, expires_at)
    values (${made.session_id}, ${user_id}, ${made.checkout_url}, ${now}, ${made.expires_at})
    on conflict do nothing`);
  return db.one<Waiting>(sql`
    select session_id, checkout_url, expires_at from checkouts where user_id = ${user_id} and state = 'open'`);
}
