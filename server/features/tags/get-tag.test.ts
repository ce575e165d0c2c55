import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /xtags/{xtag_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns public and unlisted tags to everyone, and a private tag to its owner only', async () => {
    const { alice, bob } = people;
    for (const visibility of ['public', 'unlisted', 'private']) {
      const body = { name: `a-${visibility}`, visibility };
      const created = (await world.call('POST /xtags', { token: alice.token, body })).body;
      const read = (token: string) => world.call(`GET /xtags/${created.id}`, { token });
      expect((await read(alice.token)).body).toEqual(created);
      const other = await read(bob.token);
      if (visibility === 'private') expect([other.status, other.body.error.code]).toEqual([404, 'not_found']);
      else expect(other.body).toEqual({ ...created, is_mine: false });
    }
  });
});
