import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, makeGroup } from '../../testing/grouping.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { enterRoom, readRoom, setRoom } from '../../testing/rooming.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /groups/{group_id}/room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is there for the group alone, with who is in it', async () => {
    const { alice, bob, carol } = people;
    const group = await makeGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    const place = `/groups/${group.id}`;
    expect((await readRoom(world, place, alice)).status).toBe(404);
    const { join_code } = await setRoom(world, place, alice);
    await enterRoom(world, join_code, alice);
    const seen = await readRoom(world, place, bob);
    expect([seen.status, seen.body.call.people.map(({ id }: { id: string }) => id)]).toEqual([200, [alice.id]]);
    expect((await readRoom(world, place, carol)).status).toBe(404);
  });
});
