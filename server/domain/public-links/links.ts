/**
 * Public links: addresses that open one thing without an account. The kinds are in `link-kinds.ts`. A link that was revoked,
 * has expired or never existed is reported in the same way.
 */
import { randomBytes } from 'node:crypto';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { Type } from '../../kernel/schema.ts';
import { hashToken } from '../../kernel/security/secret.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { isActive } from '../visibility/people.ts';

/** What a public link opens. */
export const link_kinds = ['event', 'feed', 'location', 'invite', 'group'] as const;
/** What a public link opens. */
export type LinkKind = (typeof link_kinds)[number];

const token_pattern = '^[A-Za-z0-9_-]{1,128}$';
const token_shape = new RegExp(token_pattern);

/** Whether a text has the form of a token. */
export const isLinkToken = (text: string): boolean => token_shape.test(text);

/** The token in an address. */
export const LinkToken = Type.String({ pattern: token_pattern, description: 'The token of a public link.' });

/** The address prefix of each kind. */
const paths: Record<LinkKind, (token: string) => string> = {
  event: (token) => `/e/${token}`,
  feed: (token) => `/calendar/${token}.ics`,
  location: (token) => `/l/${token}`,
  invite: (token) => `/i/${token}`,
  group: (token) => `/g/${token}`,
};

/** The address of an encrypted token. */
export function linkUrl(services: Pick<Services, 'secrets' | 'public_url'>, kind: LinkKind, sealed: string): string {
  return services.public_url + paths[kind](services.secrets.unseal(sealed) as string);
}

/** A link before it is created. */
export type NewLink = { kind: LinkKind; subject_id: string; owner_id: string; expires_at?: Date };

/** Creates a link; returns its encrypted token: 192 random bits, looked up by their hash. */
export async function insertLink(
  { db, now, services }: Pick<Change, 'db' | 'now' | 'services'>,
  { kind, subject_id, owner_id, expires_at }: NewLink,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const sealed = services.secrets.seal(token);
  await db.run(sql`
    insert into public_links (token_hash, kind, subject_id, owner_id, sealed, created_at, expires_at)
    values (${hashToken(token)}, ${kind}, ${subject_id}, ${owner_id}, ${sealed}, ${now}, ${expires_at ?? null})`);
  return sealed;
}

/** The encrypted token of the valid link of a thing. */
export async function selectSealed(db: Queryable, kind: LinkKind, subject_id: string): Promise<string | undefined> {
  const row = await db.maybe<{ sealed: string }>(sql`
    select sealed from public_links where kind = ${kind} and subject_id = ${subject_id} and revoked_at is null`);
  return row?.sealed;
}

/** Revokes the link of a thing. @returns whether there was one */
export async function revokeLink(
  { db, now }: Pick<Change, 'db' | 'now'>,
  kind: LinkKind,
  subject_id: string,
): Promise<boolean> {
  const revoked = await db.run(sql`
    update public_links set revoked_at = ${now}, sealed = null
    where kind = ${kind} and subject_id = ${subject_id} and revoked_at is null`);
  return revoked > 0;
}

/** A link that was opened. */
export type LinkRow = { kind: LinkKind; token: string; subject_id: string; owner_id: string; expires_at: Date | null };

/**
 * Finds the link of a token.
 * @param kind accepts only this kind
 * @param more additional columns, over `public_links p` and its owner `users u`
 * @throws ApiError `gone` when it is invalid, or its owner was deleted or suspended
 */
export async function requireLink<More extends object = object>(
  db: Queryable,
  token: string,
  now: Date,
  kind?: LinkKind,
  more: Sql = sql``,
): Promise<LinkRow & More> {
  const row = await db.maybe<LinkRow & More>(sql`
    select p.kind, ${token}::text as token, p.subject_id, p.owner_id, p.expires_at${more} from public_links p join users u on u.id = p.owner_id
    where p.token_hash = ${hashToken(token)} and p.revoked_at is null and (p.expires_at is null or p.expires_at > ${now})
      and ${isActive()} and (${kind ?? null}::text is null or p.kind = ${kind ?? null})`);
  return row ?? fail('gone', { message: 'This link has expired or was removed.' });
}
