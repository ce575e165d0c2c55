import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantPlusPlan, createWidget } from '../../testing/steps/widgets.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /widgets', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists widgets of the caller, newest first', async () => {
    const { alice, bob } = people;
    await grantPlusPlan(world, alice);
    const first = await createWidget(world, alice, 'one');
    const second = await createWidget(world, alice, 'two');
    expect(await itemsOf(world, '/widgets', alice)).toEqual([second, first]);
    const page = await world.call(`GET /widgets?before_id=${second.id}`, { token: alice.token });
    expect(page.body).toEqual({ items: [first], has_more: false });
    expect(await itemsOf(world, '/widgets', bob)).toEqual([]);
  });
});
