import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /xtags', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists tags of the caller of every visibility, newest first', async () => {
    const { alice, bob } = people;
    for (const visibility of ['public', 'unlisted', 'private']) {
      await world.call('POST /xtags', { token: alice.token, body: { name: `a-${visibility}`, visibility } });
    }
    const list = async (token: string, query = '') => (await world.call(`GET /xtags${query}`, { token })).body;
    const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name);
    expect(names(await list(alice.token))).toEqual(['a-private', 'a-unlisted', 'a-public']);
    const page = await list(alice.token, '?limit=1');
    expect(page.has_more).toBe(true);
    expect(names(await list(alice.token, `?before_id=${page.items[0].id}`))).toEqual(['a-unlisted', 'a-public']);
    expect((await list(bob.token)).items).toEqual([]);
  });
});
