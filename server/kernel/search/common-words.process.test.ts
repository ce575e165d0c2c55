import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTag } from '../../testing/following.ts';
import { findPersonas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';
import { createCommonWords, none_common } from './common-words.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('common words are what the statistics of an index say, and they and what is nearly so are found without it', async () => {
  const { alice, bob } = findPersonas();
  const { db } = world.app.services;
  expect(await createCommonWords(db)('tags_spelling')).toEqual(none_common);
  await db.native.query(`
    insert into tags (id, name, owner_id, title, description, visibility, follow_policy, created_at)
    select 'tag_' || lpad(n::text, 26, '0'), 'many' || n, '${bob.id}', 'Garden ' || md5(n::text), '', 'public', 'open', now()
    from generate_series(1, 5500) n`);
  await db.native.query('analyze tags');
  const { keys, words } = await createCommonWords(db)('tags_spelling');
  const spellings = ['garden', 'garde', 'gaden', 'many1', 'jazz'];
  expect(spellings.filter((word) => keys.has(word))).toEqual(['garden', 'garde', 'gaden']);
  // A beginning of a common word is a part of as many texts; what lacks a letter of its midst is not.
  expect(spellings.filter((word) => words.has(word))).toEqual(['garden', 'garde']);
  await createTag(world, alice, 'roses', { title: 'Garden of roses' });
  const find = async (q: string) => {
    const { body } = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}&limit=3`, { token: bob.token });
    return body.items.map(({ name }: { name: string }) => name);
  };
  expect(await find('garden')).toHaveLength(3);
  expect(await find('garden roses')).toEqual(['roses']);
  // Nearly a common word: found among the most popular.
  for (const near of ['gaden', 'gardem', 'gardens', 'gatrden'])
    expect([near, await find(near)]).toHaveProperty('1.length', 3);
  expect(await find('gardens rose')).toEqual(['roses']);
  for (const far of ['gadrem', 'gadem', 'garten rosen blume']) expect([far, await find(far)]).toEqual([far, []]);
  expect(await find('many77')).toContain('many77');
});
