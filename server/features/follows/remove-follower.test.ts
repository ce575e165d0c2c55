import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia } from '../../testing/steps/calls.ts';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /followers/{follower_user_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it("removes all follows of the caller's tags by one user, and no others", async () => {
    const { alice, bob, carol } = people;
    const tags = [await createTag(world, alice, 'one-tag'), await createTag(world, alice, 'two-tag')];
    const other = await createTag(world, carol, 'other-tag');
    for (const tag of [...tags, other]) await follow(world, tag, bob);
    const remove = () => world.call(`DELETE /followers/${bob.id}`, { token: alice.token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).body.error.code).toBe('not_found');
    expect((await itemsOf(world, '/follows', bob)).map(({ tag }: { tag: { name: string } }) => tag.name)).toEqual([
      'other-tag',
    ]);
    for (const { id } of tags)
      expect((await world.call(`GET /xtags/${id}`, { token: alice.token })).body.follower_count).toBe(0);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
  });

  it('removes them from the call in the room of a tag that followers may enter, but not where everyone may', async () => {
    const { alice, bob, carol } = people;
    const stateOf = async (who: { id: string }) => {
      const { rows } = await world.app.services.db.native.query(
        'select state from call_participants where user_id = $1',
        [who.id],
      );
      return rows.map(({ state }) => state);
    };
    for (const [who, name, privacy] of [
      [bob, 'salon', 'followers'] as const,
      [carol, 'open-salon', 'public'] as const,
    ]) {
      const tag = await createTag(world, alice, name);
      await follow(world, tag, who);
      const { join_code } = await saveRoom(world, `/xtags/${tag.id}`, alice, { privacy });
      const { body } = await joinRoom(world, join_code, who);
      await connectMedia(world, body.room, who);
      expect(await stateOf(who)).toEqual(['joined']);
      expect((await world.call(`DELETE /followers/${who.id}`, { token: alice.token })).status).toBe(204);
      const [state, status] = privacy === 'followers' ? ['left', 404] : ['joined', 200];
      expect([await stateOf(who), (await joinRoom(world, join_code, who)).status]).toEqual([[state], status]);
    }
  });
});
