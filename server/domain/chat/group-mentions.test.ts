import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { eventsOf, sendGroupMessage, unreadMentions } from '../../testing/steps/group-chats.ts';
import { setReach } from '../../testing/steps/contacts.ts';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { block, createTag, follow, itemsOf } from '../../testing/steps/follows.ts';
import { createGroup, joinGroup, removeMember } from '../../testing/steps/groups.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { findPersonas, sessionClock, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { restoreUser, suspendUser } from '../moderation/suspension.ts';

describe('mentions in the chat of a group', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  let contacts: Record<'bob' | 'carol', { id: string }>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    group = await createGroup(world, alice, 'Choir');
    contacts = {
      bob: await joinGroup(world, group, alice, bob),
      carol: await joinGroup(world, group, alice, carol),
    };
    for (const who of [bob, carol]) await registerDevice(world, who, { platform: 'android', token: who.username });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const say = (author: Persona, body: string, more: object = {}) => sendGroupMessage(world, group, author, body, more);
  const act = async (author: Persona, method: 'PATCH' | 'DELETE', { id }: { id: string }, body?: object) => {
    const answer = await world.call(`${method} /groups/${group.id}/chat/${id}`, { token: author.token, body });
    expect([200, 204]).toContain(answer.status);
    return answer.body;
  };
  const edit = (author: Persona, message: { id: string }, body: string) => act(author, 'PATCH', message, { body });
  const notesOf = async (who: Persona) =>
    (await itemsOf(world, '/notifications', who)).filter(({ kind }: { kind: string }) => kind === 'group_mention');
  const textsOf = async (who: Persona) => (await notesOf(who)).map(({ text }: { text: string }) => text);
  const unread = (who: Persona) => unreadMentions(world, group, who);
  const mute = async (who: Persona, other: Persona) =>
    expect((await world.call(`PUT /people/${other.id}/mute`, { token: who.token })).status).toBe(200);
  const muteChat = async (who: Persona) => {
    const body = { muted_until: '9999-12-31T23:59:59Z' };
    const path = `PATCH /groups/${group.id}/chat/settings`;
    expect((await world.call(path, { token: who.token, body })).status).toBe(200);
  };
  const read = async (who: Persona, { id }: { id: string }) => {
    const body = { up_to_id: id };
    expect((await world.call(`POST /groups/${group.id}/chat/read`, { token: who.token, body })).status).toBe(204);
  };
  /** The texts of the pushes to somebody, newest first. */
  const pushed = async (who: Persona) => (await pushesOf(world, who)).map(({ text }) => text);

  it('notify the named member, with the group, the author and the message', async () => {
    const { alice, bob, carol } = people;
    const message = await say(bob, 'Who sings tonight, @Carol?');
    expect(message.mentions).toEqual([{ text: '@carol', type: 'user', id: carol.id }]);
    expect((await itemsOf(world, `/groups/${group.id}/chat`, alice))[0].mentions).toEqual(message.mentions);
    expect((await eventsOf(world, alice, 'chat.message')).at(-1).message.mentions).toEqual(message.mentions);
    const [note, ...others] = await notesOf(carol);
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      actor: { username: 'bob' },
      subject: { type: 'group', id: group.id },
      subject_name: 'Choir',
      message_id: message.id,
      text: 'bob mentioned you in Choir',
      read: false,
    });
    expect((await eventsOf(world, carol, 'notification.created')).at(-1)).toEqual({ notification: note });
    expect([await notesOf(alice), await notesOf(bob)]).toEqual([[], []]);
    expect([await unread(alice), await unread(bob), await unread(carol)]).toEqual([0, 0, 1]);
  });

  it('fold while they are unread, and open the newest message', async () => {
    const { alice, bob, carol } = people;
    await say(bob, '@carol one');
    const last = await say(alice, '@carol two, and again @carol');
    expect(await notesOf(carol)).toMatchObject([
      { text: '2 people mentioned you in Choir', actor_count: 2, actor: { username: 'alice' }, message_id: last.id },
    ]);
    expect(await unread(carol)).toBe(2);
  });

  it('grow by the newest of each author only, while they are unread', slow, async () => {
    const { alice, bob, carol } = people;
    const { native } = world.app.services.db;
    await say(alice, '@carol first');
    await say(bob, '@carol one');
    const [note] = await notesOf(carol);
    await native.query(
      `insert into notification_acts (source_id, user_id, notification_id, actor_id, created_at)
       select 'chat_' || lpad(i::text, 26, '0'), $1, $2, $3, now() - interval '1 hour' from generate_series(1, 5000) i`,
      [carol.id, note.id, bob.id],
    );
    const last = await say(bob, '@carol again');
    const { rows } = await native.query(
      'select actor_id, count(*)::int as count from notification_acts where notification_id = $1 group by 1 order by 2',
      [note.id],
    );
    expect(rows).toEqual([
      { actor_id: alice.id, count: 1 },
      { actor_id: bob.id, count: default_limits.notification_acts },
    ]);
    expect(await notesOf(carol)).toMatchObject([{ id: note.id, actor_count: 2, message_id: last.id }]);
  });

  it('are cleared by reading up to them', async () => {
    const { bob, carol } = people;
    const first = await say(bob, '@carol one');
    const second = await say(bob, '@carol two');
    const other = await say(bob, 'three');
    await read(carol, first);
    expect(await unread(carol)).toBe(1);
    expect((await notesOf(carol)).map((note: { read: boolean }) => note.read)).toEqual([false]);
    await read(carol, second);
    expect(await unread(carol)).toBe(0);
    expect((await eventsOf(world, carol, 'chat.read')).at(-1)).toEqual({
      group_id: group.id,
      up_to_id: second.id,
      unread_count: 1,
      unread_mentions: 0,
    });
    expect((await notesOf(carol)).map((note: { read: boolean }) => note.read)).toEqual([true]);
    expect((await eventsOf(world, carol, 'notification.updated')).at(-1).notification.read).toBe(true);
    await read(carol, other);
    await say(bob, '@carol four');
    expect(await notesOf(carol)).toHaveLength(2);
    expect(await unread(carol)).toBe(1);
  });

  it('are cleared by writing in the chat', async () => {
    const { bob, carol } = people;
    await say(bob, '@carol?');
    await say(carol, 'Here.');
    expect(await unread(carol)).toBe(0);
  });

  it('lock the pair before the group, as a block does', async () => {
    const { bob, carol } = people;
    const { native } = world.app.services.db;
    const pair = [bob.id, carol.id].sort().join(' ');
    const client = await native.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [pair]);
    const sending = say(bob, 'Hello @carol');
    const waiting = `
      select 1 from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`;
    await expect.poll(async () => (await client.query(waiting)).rows.length).toBe(1);
    // It fails if the waiting transaction holds the row.
    await client.query('select 1 from groups where id = $1 for update nowait', [group.id]);
    await client.query('rollback');
    client.release();
    expect((await sending).mentions).toHaveLength(1);
  });

  it('are only of members: others, unknown names, tags and oneself look the same', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, alice, 'choir');
    expect((await removeMember(world, group, contacts.carol, alice)).status).toBe(204);
    for (const name of ['@carol', '@uma', '@nobody_at_all', '*choir', '@bob', 'mail@alice', '@all'])
      expect((await say(bob, `Hello ${name}`)).mentions).toEqual([]);
    for (const who of [alice, bob, carol]) expect(await notesOf(who)).toEqual([]);
    const { rows } = await world.app.services.db.native.query(
      "select user_id from notifications where kind = 'group_mention'",
    );
    expect(rows).toEqual([]);
  });

  it('are not made between people with a block, in either direction', async () => {
    const { bob, carol } = people;
    await block(world, carol, bob);
    expect((await say(bob, 'Hello @carol')).mentions).toEqual([]);
    expect((await say(carol, 'Hello @bob')).mentions).toEqual([]);
    expect([await notesOf(bob), await notesOf(carol)]).toEqual([[], []]);
    expect([await unread(bob), await unread(carol)]).toEqual([0, 0]);
  });

  it('are withdrawn by a block', async () => {
    const { bob, carol } = people;
    await say(bob, 'Hello @carol');
    await block(world, carol, bob);
    expect(await notesOf(carol)).toEqual([]);
  });

  it('do not notify a member who has muted the author', async () => {
    const { bob, carol } = people;
    await mute(carol, bob);
    const message = await say(bob, 'Hello @carol');
    // Nobody learns of the mute: for all readers it is a mention.
    expect(message.mentions).toHaveLength(1);
    await edit(bob, message, 'Hello again @carol');
    expect([await notesOf(carol), await unread(carol), await pushed(carol)]).toEqual([[], 0, []]);
  });

  it('are pushed in a muted chat, once an hour for each author, and otherwise with the message', slow, async () => {
    const { alice, bob, carol } = people;
    await say(bob, '@carol loud');
    expect(await pushed(carol)).toEqual(['bob: @carol loud']);
    await muteChat(carol);
    await say(bob, 'quiet');
    await say(bob, '@carol first');
    await say(bob, '@carol second');
    expect(await pushed(carol)).toEqual(['bob mentioned you in Choir', 'bob: @carol loud']);
    await say(alice, '@carol third');
    expect((await pushed(carol))[0]).toBe('2 people mentioned you in Choir');
    expect(await unread(carol)).toBe(4);
  });

  it('can be switched off, and are not made up for by an edit that keeps the name', async () => {
    const { bob, carol } = people;
    const switchTo = async (group_mention: boolean) => {
      const body = { notifications: { group_mention } };
      expect((await world.call('PATCH /me', { token: carol.token, body })).status).toBe(200);
    };
    await switchTo(false);
    const message = await say(bob, '@carol');
    expect([await notesOf(carol), await unread(carol)]).toEqual([[], 1]);
    await switchTo(true);
    await edit(bob, message, '@carol, please');
    expect([await notesOf(carol), await unread(carol)]).toEqual([[], 1]);
  });

  it('follow the reach and the budgets of mentions by strangers', slow, async () => {
    const { alice, bob, carol } = people;
    await startBudgetWindow(sessionClock(world));
    const countActs = async (who: Persona) => {
      const { rows } = await world.app.services.db.native.query(
        'select count(*)::int as count from notification_acts where user_id = $1 and actor_id = $2',
        [who.id, bob.id],
      );
      return rows[0].count;
    };
    await follow(world, await createTag(world, bob, 'known'), alice);
    const before = await countActs(alice);
    for (let at = 0; at < 12; at++) await say(bob, `@carol @alice ${at}`);
    expect([await countActs(carol), (await countActs(alice)) - before]).toEqual([10, 12]);
    await setReach(world, carol, { message: 'none' });
    await say(alice, '@carol');
    expect(await textsOf(carol)).toEqual(['bob mentioned you in Choir']);
    expect(await unread(carol)).toBe(13);
  });

  it('notify those whom an edit adds, and withdraw the notification of those whom it removes', async () => {
    const { alice, bob, carol } = people;
    const message = await say(bob, 'Hello @carol');
    const [first] = await notesOf(carol);
    const edited = await edit(bob, message, 'Hello @carol and @alice');
    expect(edited.mentions.map(({ text }: { text: string }) => text).sort()).toEqual(['@alice', '@carol']);
    expect((await eventsOf(world, alice, 'chat.edited')).at(-1).mentions).toEqual(edited.mentions);
    expect(await textsOf(alice)).toEqual(['bob mentioned you in Choir']);
    expect(await notesOf(carol)).toEqual([first]);
    expect(await eventsOf(world, carol, 'notification.created')).toHaveLength(2);
    expect([await unread(alice), await unread(carol)]).toEqual([1, 1]);
    await edit(bob, message, 'Hello @alice');
    expect([await notesOf(carol), await unread(carol), await unread(alice)]).toEqual([[], 0, 1]);
    await read(alice, message);
    await edit(bob, message, 'Hello');
    expect([await notesOf(alice), await unread(alice)]).toEqual([[], 0]);
    expect((await itemsOf(world, `/groups/${group.id}/chat`, alice))[0].mentions).toEqual([]);
  });

  it('are not made by an edit for members who joined later', async () => {
    const { alice, bob, carol } = people;
    await removeMember(world, group, contacts.carol, alice);
    const message = await say(bob, 'Before');
    await joinGroup(world, group, alice, carol);
    expect((await edit(bob, message, 'Before @carol')).mentions).toEqual([]);
    expect([await notesOf(carol), await unread(carol)]).toEqual([[], 0]);
  });

  it('disappear with the message', async () => {
    const { alice, bob, carol } = people;
    const message = await say(bob, 'Hello @carol');
    const [note] = await notesOf(carol);
    await act(alice, 'DELETE', message);
    expect([await notesOf(carol), await unread(carol)]).toEqual([[], 0]);
    expect((await eventsOf(world, carol, 'notification.cleared')).at(-1)).toEqual({ ids: [note.id] });
    expect((await eventsOf(world, carol, 'chat.deleted')).at(-1).message.mentions).toEqual([]);
    expect((await itemsOf(world, `/groups/${group.id}/chat`, alice))[0].mentions).toEqual([]);
  });

  it('are gone for members who were removed or left, and for the owner of a deleted group', async () => {
    const { alice, bob, carol } = people;
    await say(alice, '@bob @carol');
    await say(bob, '@alice');
    await world.call('POST /notifications/read-all', { token: carol.token, body: {} });
    await removeMember(world, group, contacts.bob, alice);
    expect(await notesOf(bob)).toEqual([]);
    expect(await textsOf(carol)).toHaveLength(1);
    const left = await world.call(`DELETE /groups/${group.id}/members/${contacts.carol.id}`, { token: carol.token });
    expect([left.status, await notesOf(carol)]).toEqual([204, []]);
    expect(await textsOf(alice)).toHaveLength(1);
    expect((await world.call(`DELETE /groups/${group.id}`, { token: alice.token })).status).toBe(204);
    expect(await notesOf(alice)).toEqual([]);
  });

  it('are hidden while their author or the owner of the group is suspended', slow, async () => {
    const { bob, carol, alice } = people;
    const { services } = world.app;
    const motive = { operator: 'test', reason: 'A test' };
    await say(bob, '@carol');
    for (const who of [bob, alice]) {
      await suspendUser(services, who.id, motive);
      expect(await notesOf(carol)).toEqual([]);
      await restoreUser(services, who.id, motive);
      expect(await notesOf(carol)).toHaveLength(1);
    }
  });

  it('are not made by a forwarded text', async () => {
    const { bob, carol } = people;
    const other = await createGroup(world, bob, 'Other');
    const first = await sendGroupMessage(world, other, bob, 'Ask @carol');
    const forward = { group_id: other.id, message_id: first.id };
    const answer = await world.call(`POST /groups/${group.id}/chat`, { token: bob.token, body: { forward } });
    expect([answer.status, answer.body.body, answer.body.mentions]).toEqual([201, 'Ask @carol', []]);
    expect(await notesOf(carol)).toEqual([]);
  });
});
