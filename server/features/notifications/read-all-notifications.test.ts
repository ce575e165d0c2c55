import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /notifications/read-all', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('marks all notifications, or those up to a given one, and emits notification.read', async () => {
    const { alice, bob } = people;
    for (const name of ['one-tag', 'two-tag', 'three-tag'])
      await follow(world, await createTag(world, alice, name), bob);
    const reads = async () =>
      (await itemsOf(world, '/notifications', alice)).map(({ read }: { read: boolean }) => read);
    const [, middle] = await itemsOf(world, '/notifications', alice);
    const readAll = (body: object) => world.call('POST /notifications/read-all', { token: alice.token, body });
    expect((await readAll({ up_to_id: middle.id })).status).toBe(204);
    expect(await reads()).toEqual([false, true, true]);
    await readAll({});
    expect(await reads()).toEqual([true, true, true]);
    const events = (await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'notification.read');
    expect(events.map(({ data }) => data)).toEqual([{ up_to_id: middle.id }, { up_to_id: null }]);
  });
});
