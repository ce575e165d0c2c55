import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, readRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /groups/{group_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('creates a room for members of the group, whose code stays the same', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    const place = `/groups/${group.id}`;
    const room = await saveRoom(world, place, alice, { guests: 'ask' });
    expect(room).toMatchObject({
      privacy: 'members',
      guests: 'ask',
      tag: null,
      group: { id: group.id, name: 'Choir' },
    });
    expect((await saveRoom(world, place, alice, { guests: 'off' })).join_code).toBe(room.join_code);
    expect((await readRoom(world, place, bob)).body).toMatchObject({ join_code: room.join_code, is_mine: false });
    const put = (token: string) => world.call(`PUT ${place}/room`, { token, body: {} });
    expect([(await put(bob.token)).status, (await put(carol.token)).status]).toEqual([403, 404]);
    expect((await joinRoom(world, room.join_code, carol)).status).toBe(404);
    for (const who of [alice, bob]) expect((await joinRoom(world, room.join_code, who)).status).toBe(200);
    await world.call(`POST /calls/${room.join_code}/leave`, { token: bob.token });
    await world.call(`POST /groups/${group.id}/leave`, { token: bob.token });
    expect((await joinRoom(world, room.join_code, bob)).status).toBe(404);
  });
});
