import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import {
  eventsOf,
  groupTexts,
  sendGroupMessage,
  tryGroupMessage,
  unreadCount,
  unreadMentions,
} from '../../testing/steps/group-chats.ts';
import { createGroup, joinGroup } from '../../testing/steps/groups.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /groups/{group_id}/chat/clear', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const clear = (group: { id: string }, { token }: Persona) =>
    world.call(`POST /groups/${group.id}/chat/clear`, { token, body: {} });
  const chatsOf = (who: Persona) => itemsOf(world, '/home/group-chat', who);
  const createBand = async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Band');
    await joinGroup(world, group, alice, bob);
    return group;
  };

  it(
    'empties it for the caller alone, who keeps it where it was in their list, and tells their devices',
    slow,
    async () => {
      const { alice, bob, carol } = people;
      const group = await createBand();
      const other = await createGroup(world, bob, 'Choir');
      await sendGroupMessage(world, other, bob, 'Earlier');
      const { id } = await sendGroupMessage(world, group, alice, 'At nine, @bob?');
      expect([await unreadCount(world, group, bob), await unreadMentions(world, group, bob)]).toEqual([1, 1]);
      const notes = async () =>
        (await itemsOf(world, '/notifications', bob)).filter(({ kind }: { kind: string }) => kind === 'group_mention');
      expect((await notes()).length).toBe(1);
      expect((await clear(group, bob)).status).toBe(204);
      expect(await eventsOf(world, bob, 'chat.cleared')).toEqual([{ group_id: group.id, up_to_id: id }]);
      expect(await eventsOf(world, alice, 'chat.cleared')).toEqual([]);
      expect([await groupTexts(world, group, bob), await groupTexts(world, group, alice)]).toEqual([
        [],
        ['At nine, @bob?'],
      ]);
      const [first, second] = await chatsOf(bob);
      expect([
        first.group.id,
        first.last_message,
        first.cleared_up_to,
        first.unread_count,
        first.unread_mentions,
      ]).toEqual([group.id, null, id, 0, 0]);
      expect(second.group.id).toBe(other.id);
      expect(await notes()).toEqual([]);
      expect((await clear(group, carol)).status).toBe(404);
      expect((await clear(await createGroup(world, bob, 'Empty'), bob)).status).toBe(204);
    },
  );

  it('names no message that a block hides, nor one from before the caller joined', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Band');
    await sendGroupMessage(world, group, alice, 'Before all');
    await joinGroup(world, group, alice, bob);
    await joinGroup(world, group, alice, carol);
    const clearedUpTo = async () => (await chatsOf(bob))[0].cleared_up_to;
    expect((await clear(group, bob)).status).toBe(204);
    expect(await clearedUpTo()).toBe(null);
    const seen = await sendGroupMessage(world, group, alice, 'Hello');
    await block(world, bob, carol);
    for (const text of ['Hidden', 'Hidden as well']) await sendGroupMessage(world, group, carol, text);
    expect((await clear(group, bob)).status).toBe(204);
    expect([await clearedUpTo(), await groupTexts(world, group, bob)]).toEqual([seen.id, []]);
    const later = await sendGroupMessage(world, group, alice, 'Later');
    await sendGroupMessage(world, group, carol, 'Hidden again');
    expect((await clear(group, bob)).status).toBe(204);
    expect([await clearedUpTo(), await groupTexts(world, group, bob)]).toEqual([later.id, []]);
  });

  it('hides what was written before on every path, also from its owner', slow, async () => {
    const { alice, bob } = people;
    const group = await createBand();
    const first = await sendGroupMessage(world, group, bob, 'Hello');
    const { id: file_id } = await uploadPicture(world, bob);
    const secret = await sendGroupMessage(world, group, bob, 'secret https://example.org', { file_id });
    const mine = await sendGroupMessage(world, group, alice, 'secret of mine');
    const as = { token: alice.token };
    await world.call(`PATCH /groups/${group.id}/chat/${mine.id}`, { ...as, body: { body: 'secret of me' } });
    await world.call(`PUT /groups/${group.id}/chat/${secret.id}/pin`, { ...as, body: { pinned: true } });
    const react = `PUT /groups/${group.id}/chat/${secret.id}/reaction`;
    await world.call(react, { token: bob.token, body: { emoji: '👍' } });
    const paths = [
      `/home/group-chat`,
      `/groups/${group.id}/chat`,
      `/groups/${group.id}/chat?after_id=${first.id}`,
      `/groups/${group.id}/chat?around_id=${secret.id}`,
      `/groups/${group.id}/chat/${mine.id}/edits`,
      `/messages/search?q=secret`,
      `/messages/search?q=secret&group_id=${group.id}`,
      ...['media', 'links'].map((kind) => `/messages/media?group_id=${group.id}&kind=${kind}`),
      `/messages/pinned?group_id=${group.id}`,
      `/messages/${secret.id}/reactions`,
      '/home',
    ];
    const answers = async (who: Persona) => {
      const texts: string[] = [];
      for (const path of paths) {
        const { body } = await world.call(`GET ${path}`, { token: who.token });
        if (/secret of|secret https|👍/.test(JSON.stringify(body))) texts.push(path);
      }
      return texts;
    };
    const before = await answers(alice);
    expect(before.length).toBeGreaterThan(8);
    await clear(group, alice);
    expect([await answers(alice), (await answers(bob)).length]).toEqual([[], before.length]);

    const statusOf = async (route: string, body?: object) =>
      (await world.call(route, { ...as, ...(body && { body }) })).status;
    expect([
      await statusOf(`GET /messages/${secret.id}/reactions`),
      await statusOf(`GET /groups/${group.id}/chat/${mine.id}/edits`),
      await statusOf(`GET /groups/${group.id}/chat/${mine.id}/receipts`),
      await statusOf(react, { emoji: '👍' }),
      await statusOf(`PATCH /groups/${group.id}/chat/${mine.id}`, { body: 'Again' }),
      await statusOf(`DELETE /groups/${group.id}/chat/${mine.id}`),
      await statusOf(`PUT /groups/${group.id}/chat/${secret.id}/pin`, { pinned: false }),
      await statusOf(`POST /files/${file_id}/stream-token`, {}),
    ]).toEqual([404, 404, 404, 404, 404, 404, 404, 404]);
    const forward = { group_id: group.id, message_id: secret.id };
    const report = { target_type: 'message', target_id: secret.id, reason: 'spam' };
    expect([
      Object.keys((await tryGroupMessage(world, group, alice, 'Hm', { reply_to: secret.id })).body.error.fields),
      Object.keys((await tryGroupMessage(world, group, alice, undefined, { forward })).body.error.fields),
      Object.keys((await world.call('POST /abuse-reports', { ...as, body: report })).body.error.fields),
      await statusOf(`POST /groups/${group.id}/chat/read`, { up_to_id: mine.id }),
    ]).toEqual([['reply_to'], ['forward.message_id'], ['target_id'], 422]);
  });

  it('shows and counts what is written from then on', async () => {
    const { alice, bob } = people;
    const group = await createBand();
    const before = await sendGroupMessage(world, group, alice, 'Before');
    await clear(group, bob);
    await registerDevice(world, bob, { platform: 'ios', token: 'c'.repeat(64) });
    const changes = async () => {
      const types = ['chat.edited', 'chat.reaction', 'chat.deleted'];
      return (await Promise.all(types.map((type) => eventsOf(world, bob, type)))).flat();
    };
    const path = `/groups/${group.id}/chat/${before.id}`;
    await world.call(`PATCH ${path}`, { token: alice.token, body: { body: 'Before, @bob' } });
    await world.call(`PUT ${path}/reaction`, { token: alice.token, body: { emoji: '👍' } });
    expect((await world.call(`DELETE ${path}`, { token: alice.token })).status).toBe(204);
    expect(await changes()).toEqual([]);
    expect([await unreadCount(world, group, bob), await unreadMentions(world, group, bob)]).toEqual([0, 0]);
    expect(await pushesOf(world, bob)).toEqual([]);
    await sendGroupMessage(world, group, alice, 'After');
    const last = await sendGroupMessage(world, group, alice, 'Later, @bob');
    expect(await groupTexts(world, group, bob)).toEqual(['Later, @bob', 'After']);
    expect([await unreadCount(world, group, bob), await unreadMentions(world, group, bob)]).toEqual([2, 1]);
    await world.call(`POST /groups/${group.id}/chat/read`, { token: bob.token, body: { up_to_id: last.id } });
    expect([await unreadCount(world, group, bob), await unreadMentions(world, group, bob)]).toEqual([0, 0]);
  });
});
