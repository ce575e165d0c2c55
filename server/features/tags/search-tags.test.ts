import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /xtags/search', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('finds public tags by prefix, word and similar spelling, best match first', async () => {
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

  it('has a separate rate budget', async () => {
    const { headers } = await world.call('GET /xtags/search?q=jazz', { token: people.alice.token });
    expect(headers['ratelimit-policy']).toBe('"tag_search";q=240;w=60');
  });

  it('leaves few plans of many words with the database, which depend on the length of each', slow, async () => {
    const { db } = world.app.services;
    const count = async () => {
      const { count: kept } = await db.one<{ count: number }>(
        sql`select count(*)::int as count from pg_prepared_statements where statement like '%spelling_keys%'`,
      );
      return kept;
    };
    // Words of one letter, of some, and of very many are looked up in different ways.
    const kinds = ['', 'word', 'w'.repeat(33)];
    const search = (number: number) => {
      const words = Array.from(
        { length: 4 },
        (_, at) => `${kinds[Math.floor(number / 3 ** at) % 3]}${'abcd'.charAt(at)}`,
      );
      return world.call(`GET /xtags/search?q=${words.join('+')}`, { token: people.bob.token });
    };
    const before = await count();
    const statuses = new Set<number>();
    for (let number = 0; number < 81; number++) statuses.add((await search(number)).status);
    // Too many long words are refused.
    expect([...statuses].toSorted()).toEqual([200, 422]);
    expect((await count()) - before).toBeLessThanOrEqual(12);
  });

  it('finds words of four or more letters for any spelling with one wrong letter', async () => {
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

  it('also finds by description and owner, and ranks by the kind of match', async () => {
    const { bob, carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { display_name: 'Zither Meyer' } });
    const tags: [string, object][] = [
      [bob.token, { name: 'about', description: 'Evenings of ZITHER music' }],
      [bob.token, { name: 'zithr' }],
      [carol.token, { name: 'strings' }],
      [bob.token, { name: 'folk-music', title: 'The Zither club' }],
      [bob.token, { name: 'zither-night' }],
      [bob.token, { name: 'zither' }],
      [bob.token, { name: 'uebung', title: 'ÜBUNGSRAUM' }],
    ];
    for (const [token, body] of tags) expect((await world.call('POST /xtags', { token, body })).status).toBe(201);
    const search = async (q: string, more = '') => {
      const answer = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}${more}`, { token: bob.token });
      return answer.body.items.map(({ name }: { name: string }) => name);
    };
    const ranked = ['zither', 'zither-night', 'folk-music', 'strings', 'about', 'zithr'];
    expect(await search('Zither')).toEqual(ranked);
    expect([await search('zither', '&limit=2&offset=1'), await search('zither', '&offset=4')]).toEqual([
      ranked.slice(1, 3),
      ranked.slice(4),
    ]);
    expect(await search('carol')).toEqual(['strings']);
    expect(await search('mayer')).toEqual(['strings']);
    expect(await search('übungsraun')).toEqual(['uebung']);
    // One or two letters match the prefix of a name, or a whole word.
    for (const short_query of ['z', 'zi'])
      expect((await search(short_query)).toSorted()).toEqual(['zither', 'zither-night', 'zithr']);
    const reach = { message: 'everyone', call: 'everyone', add: 'everyone', find: 'none' };
    await world.call('PATCH /me', { token: carol.token, body: { reach } });
    expect(await search('mayer')).toEqual([]);
  });

  it('reveals nothing that the caller cannot see, neither by items nor by has_more', async () => {
    const { alice, bob } = people;
    const hidden = [{ visibility: 'unlisted' }, { visibility: 'private' }, { visibility: 'private' }];
    for (const [at, more] of hidden.entries())
      await world.call('POST /xtags', { token: bob.token, body: { name: `quokka${at}`, ...more } });
    await world.call('POST /xtags', { token: bob.token, body: { name: 'quokka' } });
    for (const query of [
      'q=quokka&limit=1',
      'q=quoka&limit=1',
      'q=quokk&limit=1&offset=0',
      'q=quokka&limit=1&offset=1',
    ]) {
      const { body } = await world.call(`GET /xtags/search?${query}`, { token: alice.token });
      expect([query, body.items.length, body.has_more]).toEqual([query, query.endsWith('offset=1') ? 0 : 1, false]);
    }
    await world.call('POST /blocks', { token: bob.token, body: { user_id: alice.id } });
    const none = await world.call('GET /xtags/search?q=quokka', { token: alice.token });
    const absent = await world.call('GET /xtags/search?q=wallaby', { token: alice.token });
    expect(none.body).toEqual(absent.body);
  });
});
