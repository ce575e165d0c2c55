/**
 * A crowd: users, tags, follows and statuses by one seed, so that every run measures the same. Follows and posts have a
 * heavy tail, as they have everywhere: one tag that everybody follows, one reader of very many, and few who post most.
 */
import type pg from 'pg';

export type CrowdSize = { users: number; follows: number; statuses: number; reader_follows: number };

export const full_crowd: CrowdSize = { users: 10_000, follows: 100_000, statuses: 1_000_000, reader_follows: 2000 };

/** The identifier of the n-th thing of a kind: digits in the place of time and chance, older than what is made later. */
export const crowdId = (prefix: string, at: number) => `${prefix}_${String(at).padStart(26, '0')}`;

/** Whom everybody follows, and who follows very many. */
export const crowd_people = { famous: 1, reader: 2, usual: 3 };

const id = (prefix: string, expression: string) => `'${prefix}_' || lpad((${expression})::text, 26, '0')`;

/**
 * Fills a database. Triggers rest meanwhile; what they count is counted once at the end, and the planner's statistics
 * are brought up to date.
 */
export async function fillCrowd(db: pg.Client, { users, follows, statuses, reader_follows }: CrowdSize): Promise<void> {
  await db.query('begin');
  await db.query('set local session_replication_role = replica');
  await db.query('select setseed(0.2026)');
  await db.query(`
    insert into users (id, username, password_hash, display_name, mobile_number, mobile_verified, tier, created_at)
    select ${id('usr', 'n')}, 'crowd_' || n, '', 'Crowd ' || n, '+1416555' || lpad(n::text, 5, '0'), true, 'plus',
           now() - interval '400 days'
    from generate_series(1, ${users}) n`);
  await db.query(`
    insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
    select ${id('tag', 'n')}, 'crowd-' || n, ${id('usr', 'n')}, 'Title ' || n, 'What ' || md5(n::text) || ' is about',
           'public', 'open', now() - interval '400 days'
    from generate_series(1, ${users}) n`);
  await db.query(`
    insert into follows (id, tag_id, owner_id, follower_id, created_at)
    select ${id('fol', 'row_number() over ()')}, ${id('tag', 'tag')}, ${id('usr', 'tag')}, ${id('usr', 'follower')},
           now() - interval '300 days'
    from (
      select 1 as tag, n as follower from generate_series(2, ${users}) n
      union select n + 10, ${crowd_people.reader} from generate_series(1, ${Math.min(reader_follows, users - 10)}) n
      union select 1 + floor(${users} * power(random(), 3))::int, 1 + floor(${users} * random())::int
            from generate_series(1, ${follows - users - reader_follows})
    ) pairs where tag <> follower`);
  await db.query(`
    insert into statuses (id, author_id, tag_id, body, visibility, created_at)
    select ${id('post', 'n')}, ${id('usr', 'author')}, ${id('tag', 'author')}, 'Status ' || n || ' ' || md5(n::text),
           case when n % 10 = 0 then 'followers' else 'public' end,
           now() - interval '365 days' + n * interval '365 days' / ${statuses}
    from (select n, 1 + floor(${users} * power(random(), 2))::int as author from generate_series(1, ${statuses}) n) posts`);
  await db.query(`
    update tags t set follower_count = n from (select tag_id, count(*) as n from follows group by tag_id) f where f.tag_id = t.id`);
  await db.query(`
    update tags t set status_count = n, public_status_count = n_public from (
      select tag_id, count(*) as n, count(*) filter (where visibility = 'public') as n_public from statuses group by tag_id) s
    where s.tag_id = t.id`);
  await db.query('commit');
  for (const table of ['users', 'tags', 'follows', 'statuses']) await db.query(`vacuum analyze ${table}`);
}
