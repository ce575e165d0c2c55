import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, sendGroupMessage, unreadCount } from '../../testing/steps/group-chats.ts';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup, removeMember } from '../../testing/steps/groups.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const no_settings = { muted_until: null, archived: false, pinned: false, pinned_at: null, marked_unread: false };
const pinned_settings = { ...no_settings, pinned: true, pinned_at: expect.any(String) };
const forever = '9999-12-31T23:59:59Z';

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
  const list = async (who: Persona, query = ''): Promise<(readonly [string, object])[]> =>
    (await itemsOf(world, `/home/group-chat${query}`, who)).map(
      (chat: { group: { name: string }; settings: object }) => [chat.group.name, chat.settings] as const,
    );

  it('applies to the caller only, emits chat.settings to their devices, and is reset when they leave the group', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Band');
    const contact = await joinGroup(world, group, alice, bob);
    expect((await set(group, bob, { pinned: true })).body).toEqual(pinned_settings);
    const events = await eventsOf(world, bob, 'chat.settings');
    expect(events).toEqual([{ group_id: group.id, settings: pinned_settings }]);
    expect(await eventsOf(world, alice, 'chat.settings')).toEqual([]);
    expect([await list(bob), await list(alice)]).toEqual([[['Band', pinned_settings]], [['Band', no_settings]]]);
    expect((await set(group, carol, { pinned: true })).status).toBe(404);
    expect(Object.keys((await set(group, bob, { pinned: true, archived: true })).body.error.fields)).toEqual([
      'pinned',
    ]);
    await removeMember(world, group, contact, alice);
    expect((await set(group, bob, { pinned: false })).status).toBe(404);
    await joinGroup(world, group, alice, bob);
    expect(await list(bob)).toEqual([['Band', no_settings]]);
  });

  it('marks a chat as unread for the caller alone until they read it', async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    const { id } = await sendGroupMessage(world, group, alice, 'At nine?');
    const marked = { ...no_settings, marked_unread: true };
    expect((await set(group, bob, { marked_unread: true })).body).toEqual(marked);
    expect([await list(alice), await list(bob)]).toEqual([[['Band', no_settings]], [['Band', marked]]]);
    await world.call(`POST /groups/${group.id}/chat/read`, { token: bob.token, body: { up_to_id: id } });
    expect(await list(bob)).toEqual([['Band', no_settings]]);
  });

  it('sends no pushes of a muted chat, and lists an archived one again at its next message unless it is muted', async () => {
    const { alice, bob } = people;
    const band = await createGroup(world, alice, 'Band');
    const [first, second] = [await createGroup(world, alice, 'First'), await createGroup(world, alice, 'Second')];
    for (const group of [band, first, second]) await joinGroup(world, group, alice, bob);
    await registerDevice(world, bob, { platform: 'ios', token: 'c'.repeat(64) });
    await pushesOf(world, bob);
    const before = (await pushesOf(world, bob)).length;
    await set(first, bob, { muted_until: forever, archived: true });
    await set(second, bob, { archived: true });
    expect((await list(bob)).map(([name]) => name)).toEqual(['Band']);
    await sendGroupMessage(world, first, alice, 'Quiet');
    await sendGroupMessage(world, second, alice, 'Aloud');
    expect((await pushesOf(world, bob)).slice(0, -before || undefined)).toHaveLength(1);
    expect([await unreadCount(world, second, bob), (await list(bob))[0]?.[0]]).toEqual([1, 'Second']);
    expect(await list(bob, '?archived=true')).toEqual([
      ['First', { ...no_settings, muted_until: forever, archived: true }],
    ]);
    await set(first, bob, { archived: false, pinned: true });
    expect((await list(bob)).map(([name]) => name)).toEqual(['First', 'Second', 'Band']);
    await set(second, bob, { pinned: true });
    const sorted = await list(bob);
    expect(sorted.slice(0, 2).every(([, settings]) => (settings as { pinned: boolean }).pinned)).toBe(true);
  });
});
