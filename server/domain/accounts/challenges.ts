/** Challenges: one-time codes of six digits, valid for ten minutes and five attempts. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { ApiError, fail, invalid } from '../../kernel/errors.ts';
import { component, moment, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { equalSecret, generateCode } from '../../kernel/security/secret.ts';
import type { Change } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { mask } from './accounts.ts';
import { languageOfLocale } from '../../kernel/language/accept-language.ts';
import { deliver, type Message } from '../delivery/delivery.ts';
import { writeLetter } from '../delivery/letters.ts';

const code_ttl_s = 600;
const max_attempts = 5;
const max_sends = 5;

/** What a code confirms. */
export const challenge_purposes = ['register', 'login', 'mobile'] as const;
/** How a code is sent. */
export const challenge_channels = ['email', 'sms'] as const;
/** What a code confirms. */
export type Purpose = (typeof challenge_purposes)[number];
/** How a code is sent. */
export type Channel = (typeof challenge_channels)[number];

/** A code that was sent, and the attempts to enter it. */
export type ChallengeRow = {
  id: string;
  purpose: Purpose;
  user_id: string | null;
  username: string | null;
  channel: Channel;
  address: string;
  code_hash: string;
  replaced_hashes: string[];
  tries: number;
  sends: number;
  data: Record<string, string | null>;
  expires_at: Date;
  closed_at: Date | null;
};

/** A code in a request. */
export const Code = Type.String({ pattern: '^\\d{6}$', description: 'Six digits.' });
const prefixes = { register: 'reg', login: 'log', mobile: 'mob' } as const;
/** The fields of a request that name the challenge; the code itself where the account has one only. */
const fields = { register: 'registration_id', login: 'login_id', mobile: 'code' } as const;

/** The part of an answer that shows where a code was sent. */
const sentTo = {
  channel: oneOf(...challenge_channels),
  sent_to: Type.String({ description: 'Masked.' }),
  expires_at: moment,
};

export const RegistrationSent = component(
  'RegistrationSent',
  object({ status: oneOf('code_sent'), registration_id: Type.String(), ...sentTo }),
);
export const LoginCodeSent = component(
  'LoginCodeSent',
  object({ status: oneOf('otp_required'), login_id: Type.String(), ...sentTo }),
);

/** An answer that does not reveal whether the account exists. */
export const Accepted = component('Accepted', object({ status: oneOf('accepted') }));
export const CodeSent = component('CodeSent', object(sentTo));

/** Where a code was sent, as far as the caller may know. */
export function presentSent(row: Pick<ChallengeRow, 'channel' | 'address' | 'expires_at'>): Static<typeof CodeSent> {
  return { channel: row.channel, sent_to: mask(row.channel, row.address), expires_at: wireTime(row.expires_at) };
}

type Opening = {
  purpose: Purpose;
  channel: Channel;
  address: string;
  user_id?: string;
  username?: string;
  data?: Record<string, string | null>;
  /** The language of the message, also when it is sent again: a BCP 47 tag. */
  locale: string;
  /** Sent instead of a code; the code itself is then not sent. */
  instead?: Message;
};

/** Opens a challenge and sends its code after the commit. */
export async function openChallenge(change: Change, opening: Opening): Promise<ChallengeRow> {
  const id = change.id(prefixes[opening.purpose]);
  const code = generateCode();
  const row = await change.db.one<ChallengeRow>(sql`
    insert into challenges (id, purpose, user_id, username, channel, address, code_hash, data, created_at, expires_at)
    values (${id}, ${opening.purpose}, ${opening.user_id ?? null}, ${opening.username ?? null}, ${opening.channel},
            ${opening.address}, ${change.services.secrets.hashCode(id, code)}, ${JSON.stringify({ ...opening.data, locale: opening.locale })}::jsonb,
            ${change.now}, ${after(change.now, code_ttl_s)})
    returning *`);
  deliver(change, opening.channel, opening.address, opening.instead ?? codeLetter(row, code));
  return row;
}

const codeLetter = ({ data }: ChallengeRow, code: string): Message =>
  writeLetter('code', languageOfLocale(data['locale'] ?? 'en'), { code });

/** Whether a challenge is open and may send its code again. */
export function canResend(row: Pick<ChallengeRow, 'closed_at' | 'expires_at' | 'sends'>, now: Date): boolean {
  return !row.closed_at && row.expires_at > now && row.sends < max_sends;
}

/**
 * Sends a new code of a challenge; the previous one is invalid from now on.
 * @throws ApiError `gone` when it has ended or was sent too often
 */
export async function resendChallenge(
  change: Change,
  purpose: Purpose,
  id: string,
  instead?: (row: ChallengeRow) => Promise<Message | undefined>,
): Promise<ChallengeRow> {
  const row = await lockChallenge(change.db, purpose, id);
  if (!canResend(row, change.now)) fail('gone');
  const code = generateCode();
  const fresh = await change.db.one<ChallengeRow>(sql`
    update challenges set code_hash = ${change.services.secrets.hashCode(id, code)}, replaced_hashes = replaced_hashes || ${row.code_hash}::text,
           tries = 0, sends = sends + 1, expires_at = ${after(change.now, code_ttl_s)}
    where id = ${id} returning *`);
  deliver(change, row.channel, row.address, (await instead?.(row)) ?? codeLetter(row, code));
  return fresh;
}

/**
 * Closes a challenge with its code. Of concurrent attempts one succeeds.
 * @throws ApiError `gone` for a used, expired, replaced or exhausted code; `validation_failed` for a wrong one, which
 *   counts as an attempt
 */
export async function closeChallenge(
  change: Change,
  purpose: Purpose,
  id: string,
  code: string,
): Promise<ChallengeRow> {
  const row = await lockChallenge(change.db, purpose, id);
  if (row.closed_at || row.expires_at <= change.now || row.tries >= max_attempts) fail('gone');
  const hash = change.services.secrets.hashCode(id, code);
  if (equalSecret(hash, row.code_hash)) {
    await change.db.run(sql`update challenges set closed_at = ${change.now} where id = ${id}`);
    return row;
  }
  await change.db.run(sql`update challenges set tries = tries + 1 where id = ${id}`);
  if (row.replaced_hashes.some((old) => equalSecret(hash, old)))
    throw new ApiError('gone', { message: 'This code was replaced by a newer one.', commit: true });
  return invalid({ code: 'does not match the one we sent' }, { commit: true });
}

async function lockChallenge(db: Queryable, purpose: Purpose, id: string): Promise<ChallengeRow> {
  const row = await db.maybe<ChallengeRow>(
    sql`select * from challenges where id = ${id} and purpose = ${purpose} for update`,
  );
  return row ?? invalid({ [fields[purpose]]: 'is unknown' });
}

/**
 * Closes every open way to sign in to an account that was prepared before its password changed or its sessions ended:
 * sign-ins that wait for their code, and links that sign in or reset the password. Called before the sessions are
 * revoked, so that those which such a link opens meanwhile end as well.
 */
export async function closeSignIns({ db, now }: Pick<Change, 'db' | 'now'>, user_id: string): Promise<void> {
  await Promise.all([
    db.run(sql`
      update challenges set closed_at = ${now} where user_id = ${user_id} and purpose = 'login' and closed_at is null`),
    db.run(sql`update sent_links set closed_at = ${now} where user_id = ${user_id} and closed_at is null`),
  ]);
}

/**
 * Locks the open challenge of an account until the end of the transaction, so that one request at a time decides
 * whether it is sent again or replaced. A separate statement, so that the next one sees what was committed while this
 * one waited for the lock.
 */
export async function lockOpenChallenge(db: Queryable, user_id: string, purpose: Purpose): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`challenge ${purpose} ${user_id}`}, 0))`);
}

/** The newest open challenge of an account for a purpose. */
export async function newestChallenge(
  db: Queryable,
  user_id: string,
  purpose: Purpose,
): Promise<ChallengeRow | undefined> {
  return db.maybe<ChallengeRow>(sql`
    select * from challenges where user_id = ${user_id} and purpose = ${purpose} and closed_at is null order by id desc limit 1`);
}
