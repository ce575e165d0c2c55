import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTag } from '../testing/following.ts';
import { findPersonas } from '../testing/personas.ts';
import { createWorld, type World } from '../testing/world.ts';
import { createCommonWords } from './common-words.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('common words are what the statistics of an index say, and finding them goes on without its index', async () => {
  const { alice, bob } = findPersonas();
  const { db } = world.app.services;
  expect(await createCommonWords(db)('tags_spelling')).toEqual(new Set());
  await db.native.query(`
    insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
    select 'tag_' || lpad(n::text, 26, '0'), 'many' || n, '${bob.id}', 'Garden ' || md5(n::text), '', 'public', 'open', now()
    from generate_series(1, 1500) n`);
  await db.native.query('analyze tags');
  const common = await createCommonWords(db)('tags_spelling');
  expect([common.has('garden'), common.has('many1'), common.has('jazz')]).toEqual([true, false, false]);
  await makeTag(world, alice, 'roses', { title: 'Garden of roses' });
  const find = async (q: string) => {
    const { body } = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}&limit=3`, { token: bob.token });
    return body.items.map(({ name }: { name: string }) => name);
  };
  expect(await find('garden')).toHaveLength(3);
  expect(await find('garden roses')).toEqual(['roses']);
  expect(await find('gardens rose')).toEqual([]);
  expect(await find('many77')).toContain('many77');
});
