/**
 * Test data at scale: users, tags, follows and statuses generated from one seed, so that every run measures the same.
 * Follows and posts have a heavy-tailed distribution, as in reality: one tag that everybody follows, one reader who
 * follows very many, and few users who write most statuses.
 */
import type pg from 'pg';

/** How many rows there are of each kind; `reader_follows` is the number of tags that one reader follows. */
export type CrowdSize = { users: number; follows: number; statuses: number; reader_follows: number };

/** The size at which `npm run bench` measures feeds and searches. */
export const full_crowd: CrowdSize = { users: 10_000, follows: 100_000, statuses: 1_000_000, reader_follows: 2000 };

/**
 * The identifier of the n-th row of a kind: digits in place of time and randomness, so that it sorts before all later
 * ones.
 */
export const crowdId = (prefix: string, at: number) => `${prefix}_${String(at).padStart(26, '0')}`;

/** The user whom everybody follows, the one who follows very many, and an average one. */
export const crowd_people = { famous: 1, reader: 2, usual: 3 };

const id = (prefix: string, expression: string) => `'${prefix}_' || lpad((${expression})::text, 26, '0')`;

/** Runs statements in one transaction with triggers disabled; `count` then sets the counters that they maintain. */
async function inBulk(db: pg.Client, statements: string[], count: string[]): Promise<void> {
  await db.query('begin');
  await db.query('set local session_replication_role = replica');
  await db.query('select setseed(0.2026)');
  for (const statement of [...statements, ...count]) await db.query(statement);
  await db.query('commit');
}

/** Adds users with a tag each, and follows. */
export async function addCrowd(db: pg.Client, { users, follows, reader_follows }: CrowdSize): Promise<void> {
  const people = `
    insert into users (id, username, password_hash, display_name, mobile_number, mobile_verified, tier, created_at)
    select ${id('usr', 'n')}, 'crowd_' || n, '', 'Crowd ' || n, '+1416555' || lpad(n::text, 5, '0'), true, 'plus',
           now() - interval '400 days'
    from generate_series(1, ${users}) n`;
  const pairs = `
    insert into follows (id, tag_id, owner_id, follower_id, created_at)
    select ${id('fol', 'row_number() over ()')}, ${id('tag', 'tag')}, ${id('usr', 'tag')}, ${id('usr', 'follower')},
           now() - interval '300 days'
    from (
      select 1 as tag, n as follower from generate_series(2, ${users}) n
      union select n + 10, ${crowd_people.reader} from generate_series(1, ${Math.min(reader_follows, users - 10)}) n
      union select 1 + floor(${users} * power(random(), 3))::int, 1 + floor(${users} * random())::int
            from generate_series(1, ${follows - users - reader_follows})
    ) pairs where tag <> follower`;
  const count = `
    update tags t set follower_count = n
    from (select tag_id, count(*) as n from follows group by tag_id) f where f.tag_id = t.id`;
  await inBulk(db, [people, tagsOf(1, users, users), pairs], [count]);
  for (const table of ['users', 'tags', 'follows']) await db.query(`vacuum analyze ${table}`);
}

/** A range of tags, owned by the users in turn. */
const tagsOf = (from: number, to: number, users: number) => `
  insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
  select ${id('tag', 'n')}, 'crowd-' || n, ${id('usr', `1 + (n - 1) % ${users}`)}, 'Title ' || md5(n::text),
         'What ' || md5((n * 7)::text) || ' is about', 'public', 'open', now() - interval '400 days'
  from generate_series(${from}, ${to}) n`;

/** Adds more tags than people follow, for search. */
export async function addTags(db: pg.Client, from: number, to: number, users: number): Promise<void> {
  await inBulk(db, [tagsOf(from, to, users)], []);
  await db.query('vacuum analyze tags');
}

/** Adds a range of statuses; few users write most of them. */
export async function addStatuses(db: pg.Client, from: number, to: number, users: number): Promise<void> {
  const statuses = `
    insert into statuses (id, author_id, tag_id, body, visibility, created_at)
    select ${id('post', 'n')}, ${id('usr', 'author')}, ${id('tag', 'author')}, 'Status ' || n || ' ' || md5(n::text),
           case when n % 10 = 0 then 'followers' else 'public' end, now() - interval '365 days' + n * interval '30 seconds'
    from (select n, 1 + floor(${users} * power(random(), 2))::int as author from generate_series(${from}, ${to}) n) posts`;
  const count = `
    update tags t set status_count = n, public_status_count = n_public from (
      select tag_id, count(*) as n, count(*) filter (where visibility = 'public') as n_public from statuses group by tag_id) s
    where s.tag_id = t.id`;
  await inBulk(db, [statuses], [count]);
  await db.query('vacuum analyze statuses');
}
