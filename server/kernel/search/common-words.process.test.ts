import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTag } from '../../testing/steps/follows.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { createCommonWords, none_common } from './common-words.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('common words are read from index statistics, and they and similar spellings are found without the index', async () => {
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
  // A prefix of a common word occurs in as many texts; a word that lacks a letter in the middle does not.
  expect(spellings.filter((word) => words.has(word))).toEqual(['garden', 'garde']);
  await createTag(world, alice, 'roses', { title: 'Garden of roses' });
  const find = async (q: string) => {
    const { body } = await world.call(`GET /xtags/search?q=${encodeURIComponent(q)}&limit=3`, { token: bob.token });
    return body.items.map(({ name }: { name: string }) => name);
  };
  expect(await find('garden')).toHaveLength(3);
  expect(await find('garden roses')).toEqual(['roses']);
  // Spellings similar to a common word are found among the most popular tags.
  for (const similar of ['gaden', 'gardem', 'gardens', 'gatrden'])
    expect([similar, await find(similar)]).toHaveProperty('1.length', 3);
  expect(await find('gardens rose')).toEqual(['roses']);
  for (const dissimilar of ['gadrem', 'gadem', 'garten rosen blume'])
    expect([dissimilar, await find(dissimilar)]).toEqual([dissimilar, []]);
  expect(await find('many77')).toContain('many77');
});
