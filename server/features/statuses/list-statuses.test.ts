import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /statuses', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists statuses of the caller with their previous versions, newest first', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'mine');
    await postStatus(world, alice, 'first', { tag_id: tag.id });
    const second = await postStatus(world, alice, 'second', { visibility: 'followers' });
    await world.call(`PATCH /statuses/${second.id}`, { token: alice.token, body: { body: 'second, mended' } });
    expect(await listedTexts(world, '/statuses', alice)).toEqual(['second, mended', 'first']);
    const { body } = await world.call('GET /statuses', { token: alice.token });
    expect(body.items[0].edits).toEqual([{ body: 'second', replaced_at: expect.any(String) }]);
    expect(body.items[1]).not.toHaveProperty('edits');
    expect(await listedTexts(world, `/statuses?before_id=${second.id}`, alice)).toEqual(['first']);
    expect(await listedTexts(world, '/statuses', bob)).toEqual([]);
  });
});
