import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, readRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /xtags/{xtag_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('revokes the code but does not end the call; a new room has a new code', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'closing');
    await follow(world, tag, bob);
    const place = `/xtags/${tag.id}`;
    const { join_code } = await saveRoom(world, place, alice);
    const { body } = await joinRoom(world, join_code, alice);
    const remove = (token: string) => world.call(`DELETE ${place}/room`, { token });
    expect((await remove(bob.token)).status).toBe(403);
    expect((await remove(alice.token)).status).toBe(204);
    expect((await remove(alice.token)).status).toBe(404);
    expect((await readRoom(world, place, alice)).status).toBe(404);
    for (const who of [bob, carol]) expect((await joinRoom(world, join_code, who)).status).toBe(404);
    const again = await joinRoom(world, join_code, alice);
    expect([again.status, again.body.room]).toEqual([200, body.room]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await joinRoom(world, join_code, alice)).status).toBe(410);
    expect((await saveRoom(world, place, alice)).join_code).not.toBe(join_code);
  });

  it('happens when the tag is deleted', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'leaving');
    await follow(world, tag, bob);
    const { join_code } = await saveRoom(world, `/xtags/${tag.id}`, alice, { guests: 'open' });
    await world.call(`DELETE /xtags/${tag.id}`, { token: alice.token });
    for (const who of [alice, bob]) expect((await joinRoom(world, join_code, who)).status).toBe(404);
    expect((await world.call(`GET /calls/${join_code}/preview`, {})).status).toBe(404);
  });
});
