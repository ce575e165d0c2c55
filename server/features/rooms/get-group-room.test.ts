import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, readRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the room with the people in its call, to members of the group only', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    const place = `/groups/${group.id}`;
    expect((await readRoom(world, place, alice)).status).toBe(404);
    const { join_code } = await saveRoom(world, place, alice);
    await joinRoom(world, join_code, alice);
    const seen = await readRoom(world, place, bob);
    expect([seen.status, seen.body.call.people.map(({ id }: { id: string }) => id)]).toEqual([200, [alice.id]]);
    expect((await readRoom(world, place, carol)).status).toBe(404);
  });
});
