import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinGroup, createGroup, readGroup } from '../../testing/steps/groups.ts';
import { fetchSigned, uploadPicture } from '../../testing/samples/media.ts';
import { slow } from '../../../testing/slow-tests.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { findPersonas, sessionClock, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /groups/{group_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('changes only the given fields and emits group.updated to members; only the owner may do so', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir', { description: 'Tuesdays' });
    await joinGroup(world, group, alice, bob);
    const edit = (who: typeof bob, body: object) => world.call(`PATCH /groups/${group.id}`, { token: who.token, body });
    const image = await uploadPicture(world, alice);
    const { status, body } = await edit(alice, { name: 'Big choir', avatar_file_id: image.id });
    expect([status, body.name, body.description]).toEqual([200, 'Big choir', 'Tuesdays']);
    const seen = await readGroup(world, group, bob);
    expect((await fetchSigned(world, seen.avatar_url)).status).toBe(200);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'group.updated', data: { id: group.id } });
    const by_member = await edit(bob, { name: 'Mine' });
    expect([by_member.status, by_member.body.error.code]).toEqual([403, 'forbidden']);
    expect((await edit(carol, { name: 'Mine' })).status).toBe(404);
    expect((await edit(alice, { avatar_file_id: null })).body.avatar_url).toBe(null);
    expect((await fetchSigned(world, seen.avatar_url)).status).toBe(404);
  });

  it(
    'is limited to 120 changes a minute, since each is sent to all members, with those of its room',
    slow,
    async () => {
      const { bob, carol } = people;
      const group = await createGroup(world, bob, 'Choir');
      await joinGroup(world, group, bob, carol);
      await startBudgetWindow(sessionClock(world));
      const set = (method: string, path: string, body: object) =>
        world.call(`${method} /groups/${group.id}${path}`, { token: bob.token, body });
      const statuses: number[] = [];
      for (let at = 0; at < 60; at++)
        statuses.push(
          (await set('PATCH', '', { name: `Choir ${at}` })).status,
          (await set('PUT', '/room', { guests: at % 2 === 0 ? 'ask' : 'off' })).status,
        );
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await set('PATCH', '', { name: 'Once more' })).status).toBe(429);
      expect((await set('PUT', '/room', {})).status).toBe(429);
    },
  );
});
