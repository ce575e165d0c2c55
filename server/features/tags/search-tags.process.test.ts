import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { none_common } from '../../kernel/search/common-words.ts';
import { sql } from '../../kernel/database/database.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { findTags } from './queries.ts';
import { seedOf, usual_seed } from '../../../testing/seed.ts';

const { seed, label } = seedOf(usual_seed);

const tag_count = 100_000;
const user_count = 10_000;

/** Syllables of artificial words: as in a language, few words are in many texts and most in few. */
const syllables = 'ba ken li mor tas ru vel no sha dri pe lun go fis wa ter zu min ol rek'.split(' ');
const word_of = `(select s[1 + i % 20] || s[1 + i / 20 % 20] || coalesce(s[1 + i / 400], '')
  from (select array['${syllables.join("','")}'] as s, floor(9000 * power(random(), 2) + 0 * (n + k))::int as i offset 0) drawn)`;

/** How often each query is timed. */
const rounds = 5;

describe(`GET /xtags/search with 100,000 tags (${label})`, () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({
      environment: { THROTTLE_FACTOR: '100000' },
      limits: { database_statement_ms: 280_000 },
    });
    people = findPersonas();
    const native = await world.app.services.db.native.connect();
    // Indexes are created after the rows, from their own definitions, which is many times faster.
    const { rows: indexes } = await native.query<{ name: string; definition: string }>(
      `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid in ('tags'::regclass, 'users'::regclass) and not indisprimary`,
    );
    for (const { name } of indexes) await native.query(`drop index ${name}`);
    await native.query(
      `insert into users (id, username, password_hash, display_name, created_at)
       select 'usr_' || lpad(n::text, 26, '0'), 'person' || n, '', initcap(substr(md5('f' || n), 1, 6)) || ' ' || initcap(substr(md5('l' || n % 997), 1, 8)), now()
       from generate_series(1, ${user_count}) n`,
    );
    await native.query(`select setseed(${seed / 2 ** 31})`);
    // Word frequencies as in a language: few words are in very many texts, most in few.
    await native.query(
      `insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
       select 'tag_' || lpad(n::text, 26, '0'), 'tag' || n || substr(md5('n' || n), 1, 5), 'usr_' || lpad((1 + n % ${user_count})::text, 26, '0'), title, description,
              case when n % 10 = 0 then 'private' when n % 10 = 1 then 'unlisted' else 'public' end, 'open', now()
       from generate_series(1, ${tag_count}) n,
         lateral (select initcap(string_agg(${word_of}, ' ')) as title
           from generate_series(1, 3) k where n > 0) titles,
         lateral (select string_agg(${word_of}, ' ') as description
           from generate_series(1, 8) k where n > 0) descriptions`,
    );
    for (const { definition } of indexes) await native.query(definition);
    await native.query('analyze tags');
    await native.query('analyze users');
    native.release(true);
  });
  afterAll(() => world.close());

  /** Selects typical queries: words of tags, their prefixes, and each with one wrong letter. */
  async function selectQueries(): Promise<string[]> {
    const { rows } = await world.app.services.db.native.query<{ title: string; name: string; display_name: string }>(
      `select t.title, t.name, u.display_name from tags t join users u on u.id = t.owner_id
       where t.visibility = 'public' order by md5(t.id) limit 12`,
    );
    return rows.flatMap(({ title, name, display_name }) => {
      const [first = '', second = ''] = title
        .toLowerCase()
        .split(' ')
        .filter((word) => word.length >= 4);
      const wrong = (word: string) => `${word.slice(0, 2)}z${word.slice(3)}`;
      const queries = [
        name.slice(0, 8),
        name,
        first,
        wrong(first),
        `${first} ${second}`,
        display_name,
        wrong(display_name),
      ];
      return queries.filter((query) => query.length >= 3);
    });
  }

  it('reads only from indexes', async () => {
    const { db } = world.app.services;
    for (const typed of ['jazz', 'gardning', 'musik jaz', 'tag4711', 'az', 'a']) {
      const lines = await db.many<{ 'QUERY PLAN': string }>(
        sql`explain (analyze, costs off, timing off) ${findTags(typed, { tags: none_common, owners: none_common }, { near: true })}`,
      );
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      for (const index of ['tags_spelling', 'tags_prefix', 'users_spelling'])
        expect(plan).toMatch(new RegExp(`Scan (using|on) ${index}`));
      if (typed.length > 2)
        for (const index of ['tags_search', 'users_search']) expect(plan).toContain(`Index Scan on ${index}`);
      expect([typed, /Seq Scan/.exec(plan)?.[0]]).toEqual([typed, undefined]);
    }
  });

  it('takes less than ten times as long as GET /me at the median; prints the 99th percentile', async () => {
    const { token } = people.alice;
    const timed = async (route: string): Promise<number> => {
      const started_ms = performance.now();
      expect((await world.call(route, { token })).status).toBe(200);
      return performance.now() - started_ms;
    };
    const queries = await selectQueries();
    const [searches, mine]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds + 1; round++) {
      for (const query of queries) {
        const [search_ms, me_ms] = [
          await timed(`GET /xtags/search?q=${encodeURIComponent(query)}`),
          await timed('GET /me'),
        ];
        // The first round prepares the statements.
        if (round === 0) continue;
        searches.push(search_ms);
        mine.push(me_ms);
      }
    }
    const at = (times: number[], share: number) =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
    const figures = {
      searches: searches.length,
      p50: at(searches, 0.5),
      p99: at(searches, 0.99),
      me_p50: at(mine, 0.5),
    };
    console.log(JSON.stringify(figures));
    expect(figures.p50 / figures.me_p50).toBeLessThan(10);
  });
});
