import type { PublicUserRow, UserRow } from '../../domain/accounts/accounts.ts';
import { inviterOf } from '../../domain/contacts/invites.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';

/** How long the owner of a number may object before it is transferred to another account that has verified it. */
export const hold_s = 7 * 24 * 60 * 60;

/** An account as its owner sees it; undefined when it was deleted meanwhile. */
export async function selectMe(
  db: Queryable,
  user_id: string,
): Promise<(UserRow & { inviter: PublicUserRow | null; claimed_at: Date | null }) | undefined> {
  return db.maybe(sql`
    select own.*, ${inviterOf(sql`own.invited_by`, user_id)} as inviter,
      case when own.mobile_verified then (
        select min(c.created_at) from mobile_claims c
        where c.mobile_number = own.mobile_number and c.claimant_id <> own.id) end as claimed_at
    from users own where own.id = ${user_id} and own.deleted_at is null`);
}

/**
 * Erases a user's data and leaves an empty row, so that what others received still has a sender: a deleted user. The
 * username is available again at once; the row gets a name that nobody can register.
 */
export async function eraseAccount(db: Queryable, user: UserRow, now: Date): Promise<void> {
  await db.run(sql`delete from challenges where username = ${user.username} and purpose = 'register'`);
  await db.run(sql`
    update users set deleted_at = ${now}, username = ${`deleted.${user.id}`}, password_hash = '', display_name = 'deleted user',
           bio = '', avatar_key = null, email = null, email_verified = false, mobile_number = null, mobile_verified = false,
           timezone = 'UTC', locale = 'en', muted_kinds = '{}'
    where id = ${user.id}`);
}

/** Whether another account has verified a number, and which. */
export async function selectHolder(
  db: Queryable,
  mobile_number: string,
  other_than: string,
): Promise<UserRow | undefined> {
  return db.maybe<UserRow>(sql`
    select * from users where mobile_number = ${mobile_number} and mobile_verified and deleted_at is null and id <> ${other_than}`);
}

/** When another account claimed a number that is verified on an account; records the first claim. */
export async function claimNumber(
  db: Queryable,
  mobile_number: string,
  claimant_id: string,
  now: Date,
): Promise<{ since: Date; fresh: boolean }> {
  return db.one(sql`
    insert into mobile_claims (mobile_number, claimant_id, created_at) values (${mobile_number}, ${claimant_id}, ${now})
    on conflict (mobile_number, claimant_id) do update set created_at = mobile_claims.created_at
    returning created_at as since, created_at = ${now} as fresh`);
}

/** Ends all claims on a number: its owner has confirmed it, or it was transferred. */
export async function deleteClaims(db: Queryable, mobile_number: string): Promise<void> {
  await db.run(sql`delete from mobile_claims where mobile_number = ${mobile_number}`);
}

/** Marks a number as verified on an account. */
export async function verifyNumber(db: Queryable, user_id: string, mobile_number: string, now: Date): Promise<void> {
  await db.run(sql`
    update users set mobile_number = ${mobile_number}, mobile_verified = true, mobile_verified_at = ${now} where id = ${user_id}`);
}
