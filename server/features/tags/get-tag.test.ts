import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /xtags/{xtag_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('shows a tag to whoever may open it, and a private one to its owner alone', async () => {
    const { alice, bob } = people;
    for (const visibility of ['public', 'unlisted', 'private']) {
      const body = { name: `a-${visibility}`, visibility };
      const made = (await world.call('POST /xtags', { token: alice.token, body })).body;
      const see = (token: string) => world.call(`GET /xtags/${made.id}`, { token });
      expect((await see(alice.token)).body).toEqual(made);
      const other = await see(bob.token);
      if (visibility === 'private') expect([other.status, other.body.error.code]).toEqual([404, 'not_found']);
      else expect(other.body).toEqual({ ...made, is_mine: false });
    }
  });
});
