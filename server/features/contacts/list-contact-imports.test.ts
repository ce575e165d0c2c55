import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importLines } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /contacts/imports', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('lists the imports of the caller, newest first', slow, async () => {
    const { alice, bob } = people;
    const first = await importLines(world, alice, ['One']);
    const second = await importLines(world, alice, ['Two']);
    await importLines(world, bob, ['His']);
    expect(await itemsOf(world, '/contacts/imports', alice)).toEqual([second, first]);
    expect(await itemsOf(world, `/contacts/imports?before_id=${second.id}`, alice)).toEqual([first]);
  });
});
