/**
 * Accounts: how they are shown to their owner and to others, and the rules of usernames, e-mail addresses and numbers.
 */
import type { AnyViewer } from '../visibility/viewer.ts';
import { raw, sql, type Queryable } from '../../kernel/database/database.ts';
import { tiers, type Tier } from '../../kernel/caller.ts';
import { fail, found } from '../../kernel/errors.ts';
import { normaliseNumber } from '../../kernel/formats/phone.ts';
import {
  component,
  expected_key,
  idOf,
  moment,
  nullable,
  object,
  oneOf,
  text,
  Type,
  type Static,
  type TSchema,
} from '../../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../../kernel/time.ts';

/** Who may do something to a person: everybody; whom they follow or have as a contact; who also follows them; nobody. */
export const reach_values = ['everyone', 'contacts', 'mutual', 'none'] as const;
const reachWord = oneOf(...reach_values);

const Reach = component(
  'Reach',
  object(
    { message: reachWord, call: reachWord, add: reachWord, find: reachWord },
    { description: 'Who may write to, call, add to a group, and find the user.' },
  ),
);

/** Every kind of notification that a person can switch off. */
export const notification_kind_names = [
  'follow',
  'follow_request',
  'follow_accepted',
  'reply',
  'like',
  'comment',
  'mention',
  'group_mention',
  'group_invite',
  'group_joined',
  'message_request',
  'invite_accepted',
  'mobile_claimed',
  'reminder',
  'job_failed',
  'event_shared',
  'event_starting',
  'event_reminder',
] as const;

/** What a notification reports. */
export type NotificationKind = (typeof notification_kind_names)[number];

/** An object type with one property for each kind of notification. */
export function forEachKind<S extends TSchema>(schema: S): Record<NotificationKind, S> {
  return Object.fromEntries(notification_kind_names.map((kind) => [kind, schema])) as Record<NotificationKind, S>;
}

/** The fields of a user that are shown to everybody who may see that user. */
export const PublicUser = component(
  'PublicUser',
  object({
    id: idOf('usr'),
    username: Type.String(),
    display_name: Type.String(),
    avatar_url: nullable(Type.String()),
  }),
);

export const Account = component(
  'Account',
  object({
    id: idOf('usr'),
    username: Type.String(),
    display_name: Type.String(),
    bio: Type.String(),
    avatar_url: nullable(Type.String()),
    email: nullable(Type.String()),
    email_verified: Type.Boolean(),
    mobile_number: nullable(Type.String()),
    mobile_verified: Type.Boolean(),
    tier: oneOf(...tiers),
    timezone: Type.String(),
    locale: Type.String(),
    reach: Reach,
    notifications: object(forEachKind(Type.Boolean()), { description: 'Which kinds are enabled.' }),
    do_not_disturb_until: nullable(moment),
    push_text: Type.Boolean({ description: 'Whether pushes contain what happened, or only that something happened.' }),
    read_receipts: Type.Boolean({
      description: 'Whether you and your peers see how far the other has read.',
    }),
    last_seen: Type.Boolean({
      description:
        'Whether people you follow who follow you back see when you were last online, and you see when they were. An extension.',
    }),
    created_at: moment,
  }),
);

/** A username as it is stored. */
export const username_pattern = '^[a-z0-9_.]{3,30}$';
/** As typed: upper case is accepted and folded. */
export const Username = Type.String({
  pattern: '^[A-Za-z0-9_.]{3,30}$',
  description: '3 to 30 of a-z 0-9 _ . (upper case is folded).',
  [expected_key]: '3 to 30 letters a–z, digits, dots or underscores',
});
/** A new password. */
export const Password = text(8, 128);
/** The form of an address: one `@`, and a domain with a dot. */
export const email_pattern =
  '^[^\\s@<>"(),:;\\[\\]\\\\]+@(?:[^\\s@<>"(),:;\\[\\]\\\\.]+\\.)+[^\\s@<>"(),:;\\[\\]\\\\.]+$';
/** An e-mail address in a request. */
export const Email = Type.String({
  maxLength: 254,
  pattern: email_pattern,
  description: 'An e-mail address.',
  [expected_key]: 'write it like ada@example.org',
});
/** A telephone number in a request. */
export const MobileNumber = Type.String({ minLength: 5, maxLength: 32, description: 'A phone number in E.164.' });

/** The columns of an account. */
export type UserRow = {
  id: string;
  username: string;
  display_name: string;
  bio: string;
  avatar_key: string | null;
  email: string | null;
  email_verified: boolean;
  mobile_number: string | null;
  mobile_verified: boolean;
  mobile_verified_at: Date | null;
  tier: Tier;
  timezone: string;
  locale: string;
  reach: Static<typeof Reach>;
  muted_kinds: string[];
  push_text: boolean;
  read_receipts: boolean;
  last_seen: boolean;
  do_not_disturb_until: Date | null;
  suspended_at: Date | null;
  invited_by: string | null;
  created_at: Date;
  password_hash: string;
};

/** The columns that others see of an account. */
export type PublicUserRow = Pick<UserRow, 'id' | 'username' | 'display_name' | 'avatar_key'>;

/** The address of an avatar. Its key is the hash of its content, so that it can be cached without an expiry. */
export function avatarUrl(public_url: string, key: string | null): string | null {
  return key ? `${public_url}/v1/avatars/${key}` : null;
}

/** An account as its owner sees it. */
export function presentAccount(row: UserRow, viewer: AnyViewer): Static<typeof Account> {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    bio: row.bio,
    avatar_url: avatarUrl(viewer.services.public_url, row.avatar_key),
    email: row.email,
    email_verified: row.email_verified,
    mobile_number: row.mobile_number,
    mobile_verified: row.mobile_verified,
    tier: row.tier,
    timezone: row.timezone,
    locale: row.locale,
    reach: row.reach,
    notifications: Object.fromEntries(
      notification_kind_names.map((kind) => [kind, !row.muted_kinds.includes(kind)]),
    ) as Record<NotificationKind, boolean>,
    push_text: row.push_text,
    read_receipts: row.read_receipts,
    last_seen: row.last_seen,
    do_not_disturb_until: wireTimeOrNull(row.do_not_disturb_until),
    created_at: wireTime(row.created_at),
  };
}

/** An account as others see it. */
export function presentUser(row: PublicUserRow, viewer: AnyViewer): Static<typeof PublicUser> {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    avatar_url: avatarUrl(viewer.services.public_url, row.avatar_key),
  };
}

/** The columns of PublicUserRow as one JSON value, for joins. `alias` is the table's name in the statement. */
export const publicUserJson = (alias: 'u' | 'host' | 'sender') => {
  const at = raw(alias);
  return sql`json_build_object('id', ${at}.id, 'username', ${at}.username, 'display_name', ${at}.display_name, 'avatar_key', ${at}.avatar_key)`;
};

/** What remains of a deleted account. */
export const deletedUser = (id: string) => ({ username: `deleted.${id}`, display_name: 'deleted user' });

/** As `publicUserJson`, of an account that looks deleted. */
export const deletedUserJson = (alias: 'u') => {
  const at = raw(alias);
  const { display_name } = deletedUser('');
  return sql`json_build_object('id', ${at}.id, 'username', ${deletedUser('').username} || ${at}.id, 'display_name', ${display_name}::text, 'avatar_key', null)`;
};

/** The account of a signed-in person. @throws ApiError `not_found` when it was deleted meanwhile */
export async function requireAccount(db: Queryable, user_id: string): Promise<UserRow> {
  return found(await db.maybe<UserRow>(sql`select * from users where id = ${user_id} and deleted_at is null`));
}

/**
 * Locks the row of an account until the end of the transaction, for code that counts what an account has before it adds
 * to it. A separate statement, so that the counting one sees what was committed while this one waited for the lock; it
 * may be awaited together with that one. What is added to an account while it is being deleted would never be deleted.
 * @throws ApiError `token_invalid` when the account was deleted meanwhile, which has ended its sessions
 */
export async function lockAccount(db: Queryable, user_id: string): Promise<void> {
  const locked = await db.run(sql`select 1 from users where id = ${user_id} and deleted_at is null for no key update`);
  if (locked === 0) fail('token_invalid');
}

/** Normalises the identifier of an account as typed: a number to E.164, anything else to lower case. */
export function foldIdentifier(identifier: string): string {
  const name = identifier.trim().toLowerCase();
  return normaliseNumber(name) ?? name;
}

/**
 * Locks an address or number until the end of the transaction, so that only one account can verify it. A separate
 * statement: the next one, which looks for another owner, then sees what was committed while this one waited for the
 * lock.
 */
export async function lockAddress(db: Queryable, address: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`);
}

/** Finds an account by username, e-mail or mobile number; only verified ones count. */
export async function findAccount(db: Queryable, identifier: string): Promise<UserRow | undefined> {
  const name = identifier.trim().toLowerCase();
  const number = normaliseNumber(name);
  return db.maybe<UserRow>(sql`
    select * from users
    where deleted_at is null and (username = ${name} or (email = ${name} and email_verified)
      or (mobile_number = ${number ?? ''} and mobile_verified))
    order by (username = ${name}) desc limit 1`);
}

/** Masks the middle of an address, to show where a code was sent. */
export function mask(channel: 'email' | 'sms', address: string): string {
  if (channel === 'sms')
    return `${address.slice(0, 3)}${'•'.repeat(Math.max(0, address.length - 5))}${address.slice(-2)}`;
  const [name = '', domain = ''] = address.split('@');
  return `${name.slice(0, 1)}•••@${domain}`;
}
