import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWidget } from '../../testing/steps/widgets.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/widgets', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the widgets of a group to its members', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Staff');
    await joinGroup(world, group, alice, bob);
    const widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    for (const who of [alice, bob]) expect(await itemsOf(world, `/groups/${group.id}/widgets`, who)).toEqual([widget]);
    const outsider_response = await world.call(`GET /groups/${group.id}/widgets`, { token: carol.token });
    const absent = await world.call(`GET /groups/grp_${'0'.repeat(26)}/widgets`, { token: carol.token });
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
  });
});
