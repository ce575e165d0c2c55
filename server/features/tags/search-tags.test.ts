import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

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
    expect(await search('JAZZ')).toEqual(['jazz', 'jazz-club', 'evenings']);
    expect(await search('gardenning')).toEqual(['gardening']);
    expect(await search('%')).toEqual([]);
    expect(await search('nothing like it')).toEqual([]);
  });
});
