import { deletedUser, type PublicUserRow, type UserRow } from '../../domain/accounts/accounts.ts';
import { inviterOf } from '../../domain/contacts/invites.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** How long the owner of a number may object before it is transferred to another account that has verified it. */
export const number_hold_s = 7 * 24 * 60 * 60;

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
  const { username, display_name } = deletedUser(user.id);
  await db.run(sql`
    update users set deleted_at = ${now}, username = ${username}, password_hash = '', display_name = ${display_name},
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

/** A handle in a messaging network. */
export type ImIdentityRow = { id: string; network: string; handle: string; created_at: Date };

/** Inserts a handle, unless the account has it already or has no room: then no row is returned. */
export function insertImIdentity(
  db: Queryable,
  { id, user_id, network, handle, created_at }: ImIdentityRow & { user_id: string },
  allowed: number,
): Promise<ImIdentityRow | undefined> {
  return db.maybe<ImIdentityRow>(sql`
    insert into im_identities (id, user_id, network, handle, created_at)
    select ${id}, ${user_id}, ${network}, ${handle}, ${created_at}::timestamptz
    where (select count(*) from im_identities where user_id = ${user_id}) < ${allowed}::int
    on conflict (user_id, network, lower(handle)) do nothing returning *`);
}

/** The same handle of an account, whatever its case. */
export function selectImIdentity(
  db: Queryable,
  user_id: string,
  { network, handle }: Pick<ImIdentityRow, 'network' | 'handle'>,
): Promise<ImIdentityRow | undefined> {
  return db.maybe<ImIdentityRow>(sql`
    select * from im_identities where user_id = ${user_id} and network = ${network} and lower(handle) = lower(${handle})`);
}

/** An account's usernames on other networks, newest first. */
export function selectImIdentities(db: Queryable, user_id: string, page: Page): Promise<ImIdentityRow[]> {
  return db.many<ImIdentityRow>(sql`
    select id, network, handle, created_at from im_identities where user_id = ${user_id} ${pageOf(page, 'id')}`);
}

/** Deletes a handle. @returns whether it was the account's */
export async function deleteImIdentity(db: Queryable, id: string, user_id: string): Promise<boolean> {
  return (await db.run(sql`delete from im_identities where id = ${id} and user_id = ${user_id}`)) > 0;
}

/** Replaces a password, if it is still the one that was checked. */
export async function replacePassword(
  db: Queryable,
  user_id: string,
  { old_hash, new_hash }: { old_hash: string; new_hash: string },
): Promise<boolean> {
  const changed = await db.run(sql`
    update users set password_hash = ${new_hash} where id = ${user_id} and password_hash = ${old_hash}`);
  return changed > 0;
}

/** Closes the open codes for a number: a code sent to another number must not verify this one. */
export async function closeMobileCodes({ db, now }: Pick<Change, 'db' | 'now'>, user_id: string): Promise<void> {
  await db.run(sql`
    update challenges set closed_at = ${now} where user_id = ${user_id} and purpose = 'mobile' and closed_at is null`);
}

/** Stores a number that is not verified yet. */
export async function setNumber(db: Queryable, user_id: string, mobile_number: string): Promise<void> {
  await db.run(sql`
    update users set mobile_number = ${mobile_number}, mobile_verified = false, mobile_verified_at = null where id = ${user_id}`);
}

/** Marks the mobile number of an account as not verified. */
export async function unverifyNumber(db: Queryable, user_id: string): Promise<void> {
  await db.run(sql`update users set mobile_verified = false, mobile_verified_at = null where id = ${user_id}`);
}

/** Whether a picture is the avatar of an account now. */
export async function isAvatar(db: Queryable, user_id: string, key: string): Promise<boolean> {
  return (await db.run(sql`select 1 from users where id = ${user_id} and avatar_key = ${key}`)) > 0;
}

/**
 * Sets the avatar of an account.
 * @returns the key of the one before, of which concurrent changes each get another; undefined when the account was deleted
 */
export async function setAvatar(
  db: Queryable,
  user_id: string,
  key: string,
): Promise<{ before: string | null } | undefined> {
  return db.maybe<{ before: string | null }>(sql`
    with old as (select id, avatar_key from users where id = ${user_id} and deleted_at is null for no key update)
    update users u set avatar_key = ${key} from old where u.id = old.id returning old.avatar_key as before`);
}

/** The changed fields of a profile. */
export type ProfileEdit = {
  display_name?: string;
  bio?: string;
  timezone?: string;
  locale?: string;
  push_text?: boolean;
  read_receipts?: boolean;
  last_seen?: boolean;
  reach?: Partial<UserRow['reach']>;
};

/** Writes the given parts of a profile; the others stay. Undefined when the account was deleted. */
export function updateProfile(
  db: Queryable,
  user_id: string,
  edit: ProfileEdit,
  { on, off, until, now }: { on: string[]; off: string[]; until: Date | null | undefined; now: Date },
): Promise<UserRow | undefined> {
  return db.maybe<UserRow>(sql`
    update users set
      display_name = coalesce(${edit.display_name ?? null}, display_name),
      bio = coalesce(${edit.bio ?? null}, bio),
      timezone = coalesce(${edit.timezone ?? null}, timezone),
      locale = coalesce(${edit.locale ?? null}, locale),
      muted_kinds = array(
        select distinct kind from unnest(muted_kinds || ${off}::text[]) kind where kind <> all(${on}::text[])),
      do_not_disturb_until = case when ${until !== undefined}::boolean
        then ${until ?? null}::timestamptz else do_not_disturb_until end,
      push_text = coalesce(${edit.push_text ?? null}::boolean, push_text),
      read_receipts = coalesce(${edit.read_receipts ?? null}::boolean, read_receipts),
      last_seen = coalesce(${edit.last_seen ?? null}::boolean, last_seen),
      last_seen_since = case when ${edit.last_seen ?? null}::boolean and not last_seen then ${now}::timestamptz else last_seen_since end,
      reach = reach || ${JSON.stringify(edit.reach ?? {})}::jsonb
    where id = ${user_id} and deleted_at is null returning *`);
}
