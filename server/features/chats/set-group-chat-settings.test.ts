import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage, unreadCount } from '../../testing/chatting.ts';
import { pushesOf, registerDevice } from '../../testing/devices.ts';
import { itemsOf } from '../../testing/following.ts';
import { joinGroup, createGroup, removeMember } from '../../testing/grouping.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

const no_settings = { muted_until: null, archived: false, pinned: false, pinned_at: null };
const pinned_settings = { ...no_settings, pinned: true, pinned_at: expect.any(String) };
const for_ever = '9999-12-31T23:59:59Z';

describe('PATCH /groups/{group_id}/chat/settings', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const set = (group: { id: string }, { token }: Persona, body: object) =>
    world.call(`PATCH /groups/${group.id}/chat/settings`, { token, body });
  const listed = async (who: Persona, query = ''): Promise<(readonly [string, object])[]> =>
    (await itemsOf(world, `/home/group-chat${query}`, who)).map(
      (one: { group: { name: string }; settings: object }) => [one.group.name, one.settings] as const,
    );

  it('is for oneself, for one’s other devices, and for as long as one is in the group', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Band');
    const contact = await joinGroup(world, group, alice, bob);
    expect((await set(group, bob, { pinned: true })).body).toEqual(pinned_settings);
    const heard = await eventsOf(world, bob, 'chat.settings');
    expect(heard).toEqual([{ group_id: group.id, settings: pinned_settings }]);
    expect(await eventsOf(world, alice, 'chat.settings')).toEqual([]);
    expect([await listed(bob), await listed(alice)]).toEqual([[['Band', pinned_settings]], [['Band', no_settings]]]);
    expect((await set(group, carol, { pinned: true })).status).toBe(404);
    expect(Object.keys((await set(group, bob, { pinned: true, archived: true })).body.error.fields)).toEqual([
      'pinned',
    ]);
    await removeMember(world, group, contact, alice);
    expect((await set(group, bob, { pinned: false })).status).toBe(404);
    await joinGroup(world, group, alice, bob);
    expect(await listed(bob)).toEqual([['Band', no_settings]]);
  });

  it('keeps a muted chat quiet, and an archived one away until somebody writes in it', async () => {
    const { alice, bob } = people;
    const band = await createGroup(world, alice, 'Band');
    const [first, second] = [await createGroup(world, alice, 'First'), await createGroup(world, alice, 'Second')];
    for (const group of [band, first, second]) await joinGroup(world, group, alice, bob);
    await registerDevice(world, bob, { platform: 'ios', token: 'c'.repeat(64) });
    await pushesOf(world, bob);
    const before = (await pushesOf(world, bob)).length;
    await set(first, bob, { muted_until: for_ever, archived: true });
    await set(second, bob, { archived: true });
    expect((await listed(bob)).map(([name]) => name)).toEqual(['Band']);
    await sendGroupMessage(world, first, alice, 'Quiet');
    await sendGroupMessage(world, second, alice, 'Aloud');
    expect((await pushesOf(world, bob)).slice(0, -before || undefined)).toHaveLength(1);
    expect([await unreadCount(world, second, bob), (await listed(bob))[0]?.[0]]).toEqual([1, 'Second']);
    expect(await listed(bob, '?archived=true')).toEqual([
      ['First', { ...no_settings, muted_until: for_ever, archived: true }],
    ]);
    await set(first, bob, { archived: false, pinned: true });
    expect((await listed(bob)).map(([name]) => name)).toEqual(['First', 'Second', 'Band']);
    await set(second, bob, { pinned: true });
    const kept = await listed(bob);
    expect(kept.slice(0, 2).every(([, settings]) => (settings as { pinned: boolean }).pinned)).toBe(true);
  });
});
