/** Mentions: the names of people and tags in a text, what they resolve to, and whom they concern. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { lockNamedPairs } from '../visibility/pairs.ts';
import { isActive, maySeeUser } from '../visibility/people.ts';
import { mayOpenTag } from '../visibility/tags.ts';

export const Mention = component(
  'Mention',
  object({ text: Type.String(), type: oneOf('user', 'tag'), id: Type.String() }),
);

/** The mentions of a text. */
export const Mentions = Type.Array(Mention, { maxItems: default_limits.mentions });

/** A mention as it is stored with its text. */
export type MentionRow = Static<typeof Mention>;

/** Further names in one text are not mentions. */
const max_mentions = default_limits.mentions;

type Sigil = '@' | '*';

/**
 * The names in a text: `@username` and `*tag`, folded, without duplicates, not within a longer word.
 * @param sigils which kinds of names count
 */
function namesIn(body: string, sigils: readonly Sigil[]): { sigil: Sigil; name: string }[] {
  const names = new Map<string, { sigil: Sigil; name: string }>();
  for (const [, found, word = ''] of body.matchAll(/(?<![\p{L}\p{N}_@*/.-])([@*])([A-Za-z0-9_.-]{2,32})/gu)) {
    const sigil = found as Sigil;
    if (!sigils.includes(sigil)) continue;
    const folded = word.toLowerCase();
    const name = sigil === '@' ? folded.replace(/(?<![.-])[.-]+$/, '') : (folded.split('.', 1)[0] ?? '');
    const text = `${sigil}${name}`;
    if (name.length >= 2 && names.size < max_mentions) names.set(text, { sigil, name });
  }
  return [...names.values()];
}

/** The usernames in a text in which only people can be mentioned. */
export const usernamesIn = (body: string): string[] => namesIn(body, ['@']).map(({ name }) => name);

/**
 * Locks the relations of an author with everybody whom a text may notify, and with `others`, before any row: otherwise
 * somebody who writes to the author at the same time could wait for that row while the author waits for them.
 */
export async function lockConcerned(
  db: Queryable,
  body: string,
  author_id: string,
  others: string[] = [],
): Promise<void> {
  const names = namesIn(body, ['@', '*']);
  const of = (wanted: Sigil) => names.filter(({ sigil }) => sigil === wanted).map(({ name }) => name);
  await lockNamedPairs(db, author_id, { usernames: of('@'), tags: of('*'), others });
}

/** The people with one of these usernames, as far as the author of a text may see them. */
const peopleNamed = (usernames: string[], author_id: string): Sql => sql`
  select '@' || u.username as text, 'user' as type, u.id from users u
  where u.username = any(${usernames}::text[]) and ${maySeeUser(author_id)}`;

/** The people with one of these usernames, as mentions. */
export async function resolvePeople(db: Queryable, usernames: string[], author_id: string): Promise<MentionRow[]> {
  return usernames.length === 0 ? [] : db.many<MentionRow>(peopleNamed(usernames, author_id));
}

/** The people and tags that a text mentions, as far as its author may see them. */
export async function resolveMentions(db: Queryable, body: string, author_id: string): Promise<MentionRow[]> {
  const names = namesIn(body, ['@', '*']);
  if (names.length === 0) return [];
  const of = (wanted: Sigil) => names.filter(({ sigil }) => sigil === wanted).map(({ name }) => name);
  return db.many<MentionRow>(sql`
    ${peopleNamed(of('@'), author_id)}
    union all
    select '*' || t.name, 'tag', t.id from tags t join users u on u.id = t.owner_id
    where t.name = any(${of('*')}::text[]) and ${mayOpenTag(author_id)}`);
}

/**
 * The people whom mentions concern: mentioned people, and owners of mentioned tags, as far as they may see the
 * mentioning text by a condition on `m`. Ordered, so that concurrent transactions lock them in the same order.
 */
export async function selectMentioned(db: Queryable, mentions: MentionRow[], maySee: Sql): Promise<string[]> {
  if (mentions.length === 0) return [];
  const ids = (type: string) => mentions.filter((one) => one.type === type).map(({ id }) => id);
  const rows = await db.many<{ id: string }>(sql`
    select m.id from users m where ${isActive('m')} and (
      m.id = any(${ids('user')}::text[])
      or m.id in (select owner_id from tags where id = any(${ids('tag')}::text[]))) and ${maySee}
    order by m.id`);
  return rows.map(({ id }) => id);
}
