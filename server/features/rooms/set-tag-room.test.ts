import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, readRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /xtags/{xtag_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('creates a room for followers, and changes only the given fields, not the code', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'salon');
    const place = `/xtags/${tag.id}`;
    const room = await saveRoom(world, place, alice);
    expect(room).toMatchObject({ privacy: 'followers', guests: 'off', group: null, is_mine: true, call: null });
    expect(room.tag).toEqual({ id: tag.id, name: 'salon', title: tag.title });
    expect(room.url).toContain(`/j/${room.join_code}`);
    const open = await saveRoom(world, place, alice, { privacy: 'public' });
    const asking = await saveRoom(world, place, alice, { guests: 'ask' });
    expect(open).toEqual({ ...room, privacy: 'public' });
    expect(asking).toEqual({ ...open, guests: 'ask' });
    const wrong = await world.call(`PUT ${place}/room`, { token: alice.token, body: { privacy: 'members' } });
    expect([wrong.status, Object.keys(wrong.body.error.fields)]).toEqual([422, ['privacy']]);
  });

  it('is allowed to the owner of the tag only', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'mine');
    const hidden = await createTag(world, alice, 'hidden', { visibility: 'private' });
    const put = (id: string) => world.call(`PUT /xtags/${id}/room`, { token: bob.token, body: {} });
    expect((await put(tag.id)).status).toBe(403);
    expect((await put(hidden.id)).status).toBe(404);
  });

  it('admits by its privacy: the owner, followers, or everyone who can see the tag', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'graded');
    await follow(world, tag, bob);
    const place = `/xtags/${tag.id}`;
    const expected = { private: [200, 404, 404], followers: [200, 200, 404], public: [200, 200, 200] };
    for (const [privacy, statuses] of Object.entries(expected)) {
      const { join_code } = await saveRoom(world, place, alice, { privacy });
      const seen: number[] = [];
      for (const who of [alice, bob, carol]) {
        const { status } = await readRoom(world, place, who);
        const entered = await joinRoom(world, join_code, who);
        expect(entered.status).toBe(status);
        if (status === 200) await world.call(`POST /calls/${join_code}/leave`, { token: who.token });
        seen.push(status);
      }
      expect(seen).toEqual(statuses);
    }
    await block(world, alice, bob);
    expect((await readRoom(world, place, bob)).status).toBe(404);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });
});
