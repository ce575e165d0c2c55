import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia } from '../../testing/steps/calls.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, readRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /xtags/{xtag_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('shows who is in its call, except across a block', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'lively');
    const place = `/xtags/${tag.id}`;
    expect((await readRoom(world, place, alice)).status).toBe(404);
    for (const who of [bob, carol]) await follow(world, tag, who);
    const { join_code } = await saveRoom(world, place, alice);
    expect((await readRoom(world, place, carol)).body.call).toBe(null);
    const { body } = await joinRoom(world, join_code, bob);
    await connectMedia(world, body.room, bob);
    const { call } = (await readRoom(world, place, alice)).body;
    expect(call).toMatchObject({ conference_id: body.room, participant_count: 1, people: [{ username: 'bob' }] });
    await block(world, carol, bob);
    expect((await readRoom(world, place, carol)).body.call).toMatchObject({ participant_count: 1, people: [] });
    await world.call('DELETE /calls/active', { token: bob.token });
    expect((await readRoom(world, place, alice)).body.call).toBe(null);
  });
});
