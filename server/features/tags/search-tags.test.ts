import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { sql } from '../../kernel/database.ts';
import { createWorld, type World } from '../../testing/world.ts';
import { matchTag } from './queries.ts';

describe('GET /xtags/search', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('finds public tags by prefix, word and near spelling, best first', async () => {
    const { alice, bob } = people;
    const tags = [
      { name: 'jazz-club' },
      { name: 'jazz' },
      { name: 'evenings', title: 'Music and jazz' },
      { name: 'hidden-jazz', visibility: 'unlisted' },
      { name: 'secret-jazz', visibility: 'private' },
      { name: 'gardening' },
    ];
    for (const body of tags) await world.call('POST /xtags', { token: alice.token, body });
    const search = async (q: string): Promise<string[]> => {
      const { body } = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}`, { token: bob.token });
      return body.items.map(({ name }: { name: string }) => name);
    };
    expect(await search('garden jazz')).toEqual([]);
    expect(await search('musik jaz')).toEqual(['evenings']);
    expect(await search('JAZZ')).toEqual(['jazz', 'jazz-club', 'evenings']);
    expect(await search('gardenning')).toEqual(['gardening']);
    expect(await search('%')).toEqual([]);
    expect(await search('nothing like it')).toEqual([]);
  });

  it('finds words of four letters and more by every spelling that is one letter off', async () => {
    const { alice, bob } = people;
    for (const name of ['chess', 'folk']) await world.call('POST /xtags', { token: alice.token, body: { name } });
    const finds = async (q: string, name: string): Promise<boolean> => {
      const { body } = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}`, { token: bob.token });
      return body.items.some((tag: { name: string }) => tag.name === name);
    };
    const left_out = ['hess', 'cess', 'chss', 'ches', 'olk', 'flk', 'fok', 'fol'];
    const replaced = ['xhess', 'cxess', 'chxss', 'chexs', 'chesx', 'xolk', 'fxlk', 'foxk', 'folx'];
    const put_in = ['xchess', 'cxhess', 'chxess', 'chexss', 'chessx', 'xfolk', 'fxolk', 'foxlk', 'folxk', 'folkx'];
    for (const typed of [...left_out, ...replaced, ...put_in]) {
      const name = typed.length > 5 || /[ce]/.test(typed) || typed === 'chxss' ? 'chess' : 'folk';
      expect([typed, await finds(typed, name)]).toEqual([typed, true]);
    }
    for (const typed of ['cheese', 'fxxk', 'flok']) expect([typed, await finds(typed, 'folk')]).toEqual([typed, false]);
  });

  it('reads few of many tags', async () => {
    const { db } = world.app.services;
    await db.native.query(
      `insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
       select 'tag_many' || n, 'tag' || n, $1, substr(md5(n::text), 1, 8) || ' ' || substr(md5('b' || n), 1, 6), '', 'public', 'open', now()
       from generate_series(1, 8000) n`,
      [people.alice.id],
    );
    await db.native.query('analyze tags');
    for (const typed of ['jazz', 'gardning', 'musik jaz']) {
      const lines = await db.many<{ 'QUERY PLAN': string }>(sql`
        explain (analyze, costs off, timing off)
        select t.id from tags t where t.deleted_at is null and t.visibility = 'public' and ${matchTag(typed)}`);
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).toContain('Bitmap Index Scan on tags_search');
      expect(plan).not.toContain('Seq Scan on tags');
    }
  });
});
