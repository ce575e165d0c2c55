import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /statuses/{post_id}/replies', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists replies newest first, with a count equal to the list for each viewer', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'What do you think?');
    const first = await replyTo(world, status, bob, 'Good');
    await replyTo(world, status, carol, 'Bad');
    const path = `/statuses/${status.id}/replies`;
    const countFor = async (who: typeof bob) => {
      await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: {} });
      const { rows } = await world.app.services.db.native.query('select reply_count from statuses where id = $1', [
        status.id,
      ]);
      expect(rows[0].reply_count).toBe(2);
      return (await world.call('GET /statuses', { token: who.token })).body.items[0]?.reply_count;
    };
    expect(await listedTexts(world, path, bob)).toEqual(['Bad', 'Good']);
    expect(await countFor(alice)).toBe(2);
    expect(
      await listedTexts(
        world,
        `${path}?before_id=${(await world.call(`GET ${path}?limit=1`, { token: bob.token })).body.items[0].id}`,
        bob,
      ),
    ).toEqual(['Good']);
    await block(world, alice, carol);
    expect(await listedTexts(world, path, alice)).toEqual(['Good']);
    expect(await countFor(alice)).toBe(1);
    // A second block in the other direction changes nothing.
    await block(world, carol, alice);
    expect(await countFor(alice)).toBe(1);
    expect(first).toMatchObject({ post_id: status.id, author: { username: 'bob' }, body: 'Good' });
  });

  it('returns 404 if the caller cannot see the status', async () => {
    const status = await postStatus(world, people.alice, 'for followers', { visibility: 'followers' });
    expect((await world.call(`GET /statuses/${status.id}/replies`, { token: people.bob.token })).status).toBe(404);
  });
});
