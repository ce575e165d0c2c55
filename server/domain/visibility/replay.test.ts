import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable, Sql } from '../../kernel/database/database.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { createTag, follow } from '../../testing/steps/follows.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { createGroup, joinGroup, removeMember } from '../../testing/steps/groups.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { tone_opus } from '../../testing/samples/recordings.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { startJoinedCall } from '../../testing/steps/call-chat.ts';
import { hideContent } from '../moderation/hide-content.ts';
import { restoreUser, suspendUser } from '../moderation/suspension.ts';
import { poll } from '../../testing/running/running-service.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { createReplayFilter } from './replay.ts';
import { slow } from '../../../testing/slow-tests.ts';

const motive = { operator: 'olga', reason: 'because' };
type Received = { type: string; data: Record<string, { body?: string; reply_to?: { body: string } }> };

describe('events that are replayed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** Where this node reads the outbox, once it has read every event. */
  async function headId(): Promise<string> {
    const { realtime, db } = world.app.services;
    const newer = 'select 1 from events where (xid, position) > ($1::xid8, $2::bigint) limit 1';
    const isRead = async () => (await db.native.query(newer, realtime.headId().split('.').slice(1))).rowCount === 0;
    await poll(isRead, 'the reader of the outbox');
    return realtime.headId();
  }
  /** What a device of somebody receives that missed everything since `last_event_id`. */
  async function catchUp({ id, session_id }: Persona, last_event_id: string): Promise<Received[]> {
    await headId();
    const received: Received[] = [];
    const send = ({ text }: { text: string }) => void received.push(JSON.parse(text) as Received);
    const connection = {
      user_id: id,
      session_id,
      channel: new PassThrough(),
      isValid: () => Promise.resolve(true),
      send,
      close: () => undefined,
    };
    const welcomes: string[] = [];
    const leave = await world.app.services.realtime.join(connection, last_event_id, ({ type }) => welcomes.push(type));
    leave();
    expect(welcomes).toEqual(['ready']);
    return received;
  }
  const say = async (path: string, { token }: Persona, body: object) =>
    (await world.call(`POST ${path}`, { token, body })).body as { id: string };

  it(
    'contain no event of a calendar that is deleted or not shared any more, or whose owner is suspended',
    slow,
    async () => {
      const { alice, bob } = people;
      const since = await headId();
      const share = async (title: string) => {
        const event = await createEvent(world, alice, { title });
        await shareEvent(world, event, alice, [bob]);
        return event;
      };
      const [deleted, unshared] = [await share('secret deleted'), await share('secret unshared')];
      await share('kept');
      await world.call(`DELETE /calendar/events/${deleted.id}`, { token: alice.token });
      await world.call(`DELETE /calendar/events/${unshared.id}/share`, { token: alice.token });
      const caught_up = await catchUp(bob, since);
      expect(JSON.stringify(caught_up)).not.toContain('secret');
      expect(caught_up.filter(({ type }) => type === 'calendar.changed').map(({ data }) => data['op'])).toEqual([
        'upsert',
        'delete',
        'delete',
      ]);
      expect(JSON.stringify(await catchUp(alice, since))).toContain('secret unshared');
      await suspendUser(world.app.services, alice.id, motive);
      expect(JSON.stringify(await catchUp(bob, since))).not.toContain('kept');
    },
  );

  it('have no text of a status, reply or comment that was deleted meanwhile', slow, async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'retold');
    await follow(world, tag, bob);
    const since = await headId();
    const kept = await postStatus(world, alice, 'kept', { tag_id: tag.id });
    const gone = await postStatus(world, alice, 'secret status', { tag_id: tag.id });
    const reply = await say(`/statuses/${kept.id}/replies`, bob, { body: 'secret reply' });
    const comment = await say('/profiles/retold/comments', bob, { body: 'secret comment' });
    await world.call(`DELETE /statuses/${gone.id}`, { token: alice.token });
    await world.call(`DELETE /statuses/replies/${reply.id}`, { token: bob.token });
    await world.call(`DELETE /profiles/retold/comments/${comment.id}`, { token: bob.token });
    for (const who of [alice, bob]) expect(JSON.stringify(await catchUp(who, since))).not.toContain('secret');
    const types = (await catchUp(bob, since)).map(({ type }) => type).filter((type) => type.startsWith('status'));
    expect(types).toEqual(['status.posted', 'status.posted', 'status.deleted']);
    expect(JSON.stringify(await catchUp(bob, since))).toContain('kept');
  });

  it('have no mention in a group that the reader has left meanwhile', slow, async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Choir');
    const contact = await joinGroup(world, group, alice, bob);
    const since = await headId();
    await sendGroupMessage(world, group, alice, 'Who sings, @bob?');
    expect(JSON.stringify(await catchUp(bob, since))).toContain('alice mentioned you in Choir');
    await removeMember(world, group, contact, alice);
    expect(JSON.stringify(await catchUp(bob, since))).not.toContain('Choir');
  });

  it('are about what they name as their members, not about what is written in them', slow, async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Choir');
    const other = await createGroup(world, alice, 'Secrets');
    await joinGroup(world, group, alice, bob);
    const since = await headId();
    const names = [`See ${other.id}`, other.id, `{"group_id":"${other.id}"}`];
    for (const body of names) await say(`/groups/${group.id}/chat`, alice, { body });
    const received = (await catchUp(bob, since)).filter(({ type }) => type === 'chat.message');
    expect(received.map(({ data }) => data['message']?.body)).toEqual(names);
  });

  it('are checked without looking up each identifier in a text, since a message can hold a hundred', async () => {
    const { alice } = people;
    const { db } = world.app.services;
    const asked: string[] = [];
    const counting = { many: (query: Sql) => (asked.push(...(query.values.flat() as string[])), db.many(query)) };
    const filter = createReplayFilter(counting as unknown as Queryable);
    const texts = Array.from({ length: 100 }, (_, at) => `dm_${String(at).padStart(26, '0')}`);
    const bodies = [texts.join(' '), ...texts, JSON.stringify({ id: texts[0], message_id: texts[1] })];
    const id = `dm_${'z'.repeat(26)}`;
    const events = bodies.map((body) => ({
      xid: '1',
      position: '1',
      topic: `user:${alice.id}`,
      type: 'dm.message',
      data: JSON.stringify({ message: { id, body } }),
    }));
    const kept = await filter(alice.id, events as unknown as Parameters<typeof filter>[1]);
    expect(asked.filter((one) => one !== alice.id)).toEqual([id]);
    expect(new Set(kept.map(({ data }) => data))).toEqual(new Set([JSON.stringify({ message: { id, body: '' } })]));
  });

  it('contain no message of a chat that the reader has cleared meanwhile, nor what happened to it', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    const since = await headId();
    const direct = await sendMessage(world, thread, alice, 'secret message');
    const said = await sendGroupMessage(world, group, alice, 'secret of the choir');
    const as = { token: alice.token, body: { body: 'secret, edited' } };
    await world.call(`PATCH /dm/threads/${thread.id}/chat/${direct.id}`, as);
    await world.call(`PATCH /groups/${group.id}/chat/${said.id}`, as);
    const typesOf = async (who: Persona) =>
      (await catchUp(who, since)).map(({ type }) => type).filter((type) => /^(dm|chat)\.(message|edited)$/.test(type));
    expect(await typesOf(bob)).toEqual(['dm.message', 'chat.message', 'dm.message', 'chat.edited']);
    await world.call(`POST /dm/threads/${thread.id}/clear`, { token: bob.token, body: {} });
    await world.call(`POST /groups/${group.id}/chat/clear`, { token: bob.token, body: {} });
    await sendMessage(world, thread, alice, 'later');
    expect(await typesOf(bob)).toEqual(['dm.message']);
    expect(JSON.stringify(await catchUp(bob, since))).not.toContain('secret');
    expect((await typesOf(alice)).length).toBe(5);
  });

  it('have no text of a direct message that was deleted meanwhile, also where it is quoted', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const since = await headId();
    const gone = await sendMessage(world, thread, alice, 'secret message');
    await sendMessage(world, thread, bob, 'an answer', { reply_to: gone.id });
    expect(JSON.stringify(await catchUp(bob, since))).toContain('secret');
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${gone.id}`, { token: alice.token });
    for (const who of [alice, bob]) {
      const text = JSON.stringify(await catchUp(who, since));
      expect([text.includes('secret'), text.includes('an answer')]).toEqual([false, true]);
    }
  });

  it('have no text of a voicemail that its recipient has deleted meanwhile', slow, async () => {
    const { alice, bob } = people;
    await openAcceptedThread(world, alice, bob);
    const since = await headId();
    const mail = multipart(tone_opus, 'message', 'audio/ogg', { body: 'secret voicemail' });
    await world.call('POST /videomail/bob', { token: alice.token, ...mail });
    const [message] = (await world.call('GET /inbox', { token: bob.token })).body.items;
    expect(JSON.stringify(await catchUp(bob, since))).toContain('secret');
    await world.call(`DELETE /inbox/${message.id}`, { token: bob.token });
    const text = JSON.stringify(await catchUp(bob, since));
    expect([text.includes('secret'), text.includes('inbox.deleted')]).toEqual([false, true]);
  });

  it('of a group have no deleted text, and are omitted for people who are no longer in it', slow, async () => {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, 'Secrets');
    await joinGroup(world, group, alice, bob);
    const since = await headId();
    const gone = await say(`/groups/${group.id}/chat`, alice, { body: 'first secret' });
    await say(`/groups/${group.id}/chat`, alice, { body: 'second line' });
    await world.call(`DELETE /groups/${group.id}/chat/${gone.id}`, { token: alice.token });
    const text = JSON.stringify(await catchUp(bob, since));
    expect([text.includes('first secret'), text.includes('second line')]).toEqual([false, true]);
    await world.call(`POST /groups/${group.id}/leave`, { token: bob.token });
    const left = await catchUp(bob, since);
    expect(left.map(({ type }) => type).filter((type) => /^(chat|group)/.test(type))).toEqual(['group.deleted']);
  });

  it('have no text of a person who was suspended meanwhile, and have it again once restored', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, carol, 'retold');
    await follow(world, tag, bob);
    const thread = await openAcceptedThread(world, alice, bob);
    const group = await createGroup(world, carol, 'Choir');
    for (const one of [alice, bob]) await joinGroup(world, group, carol, one);
    const post = await postStatus(world, bob, 'A question');
    const call = await startJoinedCall(world, carol, alice, bob);
    const since = await headId();
    await sendMessage(world, thread, alice, 'secret message');
    await sendGroupMessage(world, group, alice, 'secret song');
    await say(`/statuses/${post.id}/replies`, alice, { body: 'secret reply' });
    await say('/profiles/retold/comments', alice, { body: 'secret comment' });
    await say(`/calls/${call.join_code}/chat`, alice, { body: 'secret aside' });
    const mail = multipart(tone_opus, 'message', 'audio/ogg', { body: 'secret voicemail' });
    expect((await world.call('POST /videomail/bob', { token: alice.token, ...mail })).status).toBe(201);
    const find = async () => {
      const caught = JSON.stringify([await catchUp(bob, since), await catchUp(carol, since)]);
      return [...new Set(Array.from(caught.matchAll(/secret (\w+)/g), ([, word]) => word))].sort();
    };
    expect(await find()).toEqual(['aside', 'comment', 'message', 'reply', 'song', 'voicemail']);
    await suspendUser(world.app.services, alice.id, motive);
    expect(await find()).toEqual([]);
    await restoreUser(world.app.services, alice.id, motive);
    expect(await find()).toContain('song');
  });

  it('have no text of a status, reply or comment that an operator has hidden meanwhile', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'retold');
    for (const who of [bob, carol]) await follow(world, tag, who);
    const since = await headId();
    const kept = await postStatus(world, alice, 'kept', { tag_id: tag.id });
    const gone = await postStatus(world, alice, 'secret status, @bob', { tag_id: tag.id });
    const reply = await say(`/statuses/${kept.id}/replies`, bob, { body: 'secret reply, @carol' });
    const comment = await say('/profiles/retold/comments', bob, { body: 'secret comment' });
    for (const [type, { id }] of [
      ['status', gone],
      ['reply', reply],
      ['comment', comment],
    ] as const)
      await hideContent(world.app.services, type, id, 'hide', motive);
    for (const who of [bob, carol]) expect(JSON.stringify(await catchUp(who, since))).not.toContain('secret');
    expect(JSON.stringify(await catchUp(bob, since))).toContain('kept');
  });
});
