import { sql, type Queryable } from '../../kernel/database/database.ts';
import { after } from '../../kernel/time.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** How long a registration reserves its username. */
const reservation_s = 15 * 60;

/** Whether a username belongs to an account or to a registration in progress. */
export async function isUsernameHeld(db: Queryable, username: string, now: Date): Promise<boolean> {
  const { held } = await db.one<{ held: boolean }>(sql`
    select exists (select 1 from users where username = ${username} and deleted_at is null)
        or exists (select 1 from challenges where username = ${username} and purpose = 'register' and closed_at is null
                   and created_at > ${after(now, -reservation_s)}) as held`);
  return held;
}

/** Locks a username until the end of the transaction, so that its registrations are serialised. */
export async function lockUsername(db: Queryable, username: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`username:${username}`}, 0))`);
}

/** An account before it is inserted. */
export type NewUser = {
  id: string;
  username: string;
  password_hash: string;
  display_name: string;
  email: string | null;
  mobile_number: string | null;
  /** A BCP 47 tag. */
  locale: string;
};

/** Inserts the account; `verified` is the channel of the code. */
export async function insertUser(db: Queryable, user: NewUser, verified: 'email' | 'sms', now: Date): Promise<void> {
  const by_mobile = verified === 'sms';
  await db.run(sql`
    insert into users (id, username, password_hash, display_name, email, email_verified, mobile_number, mobile_verified, mobile_verified_at, locale, created_at)
    values (${user.id}, ${user.username}, ${user.password_hash}, ${user.display_name}, ${user.email}, ${!by_mobile},
            ${user.mobile_number}, ${by_mobile}, ${by_mobile ? now : null}, ${user.locale}, ${now})`);
}

/** The locale of the verified account with an address; undefined when there is none. */
export async function selectHolderLocale(
  db: Queryable,
  channel: 'email' | 'sms',
  address: string,
): Promise<string | undefined> {
  const holder = await db.maybe<{ locale: string }>(
    channel === 'email'
      ? sql`select locale from users where email = ${address} and email_verified and deleted_at is null limit 1`
      : sql`select locale from users where mobile_number = ${address} and mobile_verified and deleted_at is null limit 1`,
  );
  return holder?.locale;
}

/** Whether an address belongs to a verified account. */
export const isAddressTaken = async (db: Queryable, channel: 'email' | 'sms', address: string): Promise<boolean> =>
  (await selectHolderLocale(db, channel, address)) !== undefined;

/** A link that was sent by mail, of which only the hash of its token is stored. */
export type SentLinkRow = { hash: string; user_id: string; expires_at: Date; closed_at: Date | null };

/** Stores a link's hash; earlier ones of the same purpose become invalid. */
export async function insertSentLink(
  db: Queryable,
  link: { hash: string; purpose: string; user_id: string; expires_at: Date },
  now: Date,
): Promise<void> {
  await db.run(sql`
    update sent_links set closed_at = ${now} where user_id = ${link.user_id} and purpose = ${link.purpose} and closed_at is null`);
  await db.run(sql`
    insert into sent_links (hash, purpose, user_id, created_at, expires_at)
    values (${link.hash}, ${link.purpose}, ${link.user_id}, ${now}, ${link.expires_at})`);
}

/** Redeems a link, once. Undefined when it was never sent, or is used, replaced or expired. */
export async function closeSentLink(
  db: Queryable,
  hash: string,
  purpose: string,
  now: Date,
): Promise<SentLinkRow | undefined> {
  return db.maybe<SentLinkRow>(sql`
    update sent_links set closed_at = ${now}
    where hash = ${hash} and purpose = ${purpose} and closed_at is null and expires_at > ${now} returning *`);
}

/** A session as its owner sees it. */
export type SessionRow = {
  id: string;
  device: string;
  ip: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
};

/** The sessions of an account that are still valid. */
export function selectSessions(db: Queryable, user_id: string, page: Page, now: Date): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select id, device, ip, created_at, last_used_at, expires_at from sessions
    where user_id = ${user_id} and revoked_at is null and expires_at > ${now} ${pageOf(page, 'id')}`);
}

/**
 * Whether an account still has the password that was checked. Locked, so that a concurrent change of the password either
 * is seen here or ends the sign-in that follows.
 */
export async function lockPassword(db: Queryable, user: { id: string; password_hash: string }): Promise<boolean> {
  const row = await db.maybe(
    sql`select 1 from users where id = ${user.id} and password_hash = ${user.password_hash} for share`,
  );
  return row !== undefined;
}

/** Stores the hash of a new password. */
export async function setPassword(db: Queryable, user_id: string, password_hash: string): Promise<void> {
  await db.run(sql`update users set password_hash = ${password_hash} where id = ${user_id}`);
}
