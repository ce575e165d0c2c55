import { describe, expect, it } from 'vitest';
import { createTag } from '../steps/follows.ts';
import { findPersonas } from './personas.ts';
import { readRows, restoreRows } from './stored-rows.ts';
import { createWorld, type World } from './world.ts';

async function restoreAfter(world: World, change: () => Promise<void>): Promise<void> {
  const { native } = world.app.services.db;
  const rows = await readRows(native);
  await change();
  const client = await native.connect();
  await restoreRows(client, rows).finally(() => client.release());
}

describe('rows that were restored', () => {
  it('are shown also by a node that cached what was changed meanwhile', async () => {
    const world = await createWorld();
    const { alice, bob } = findPersonas();
    const tag = await createTag(world, alice, 'jazz');
    const shownName = async () => {
      const { body } = await world.call(`GET /xtags/${tag.id}`, { token: bob.token });
      return body.owner.display_name;
    };
    const before = await shownName();
    await restoreAfter(world, async () => {
      await world.call('PATCH /me', { token: alice.token, body: { display_name: 'Somebody' } });
      expect(await shownName()).toBe('Somebody');
    });
    expect(await shownName()).toBe(before);
    await world.close();
  });
});
