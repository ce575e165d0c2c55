import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /me/im-identities', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the identities of the caller, newest first, and paginates', async () => {
    const { alice, bob } = people;
    for (const handle of ['first', 'second', 'third']) {
      await world.call('POST /me/im-identities', { token: alice.token, body: { network: 'xmpp', handle } });
    }
    const list = async (token: string, query = '') =>
      (await world.call(`GET /me/im-identities${query}`, { token })).body;
    const handles = (page: { items: { handle: string }[] }) => page.items.map(({ handle }) => handle);
    expect(handles(await list(alice.token))).toEqual(['third', 'second', 'first']);
    const page = await list(alice.token, '?limit=2');
    expect([handles(page), page.has_more]).toEqual([['third', 'second'], true]);
    const rest = await list(alice.token, `?before_id=${page.items[1].id}`);
    expect([handles(rest), rest.has_more]).toEqual([['first'], false]);
    expect(handles(await list(alice.token, '?offset=1&limit=1'))).toEqual(['second']);
    expect((await list(bob.token)).items).toEqual([]);
  });
});
