import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import {
  eventsOf,
  sendGroupMessage,
  unreadCount,
  groupTexts,
  tryGroupMessage,
} from '../../testing/steps/group-chats.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const idsOf = (all: { id: string }[]) => all.map(({ id }) => id);

const no_group = `grp_${'0'.repeat(26)}`;

describe('POST /groups/{group_id}/chat', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.app.services.db.native.query('update groups set deleted_at = now()');
    group = await createGroup(world, people.alice, 'Band');
    await joinGroup(world, group, people.alice, people.bob);
  });

  it('emits chat.message to all members', async () => {
    const { alice, bob } = people;
    const message = await sendGroupMessage(world, group, bob, 'Hello.');
    expect(message).toMatchObject({
      kind: 'text',
      body: 'Hello.',
      file: null,
      reply_to: null,
      edited_at: null,
      deleted_at: null,
      author: { user: { username: 'bob' }, guest: null },
    });
    for (const who of [alice, bob])
      expect((await eventsOf(world, who, 'chat.message')).at(-1)).toEqual({ group_id: group.id, message: message });
    const answer = await sendGroupMessage(world, group, alice, 'And to you.', { reply_to: message.id });
    expect(answer.reply_to).toBe(message.id);
    expect(await groupTexts(world, group, bob)).toEqual(['And to you.', 'Hello.']);
    expect([await unreadCount(world, group, alice), await unreadCount(world, group, bob)]).toEqual([0, 1]);
  });

  it('returns the same 404 to outsiders as for an absent group', async () => {
    const { carol } = people;
    const [outsider_response, absent] = await Promise.all([
      tryGroupMessage(world, group, carol, 'May I?'),
      tryGroupMessage(world, { id: no_group }, carol, 'May I?'),
    ]);
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
  });

  it('accepts text, an own file, or both', async () => {
    const { alice, bob, carol } = people;
    const photo = await sharp({ create: { width: 6, height: 4, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const { body: file } = await world.call('POST /files', { token: bob.token, ...multipart(photo) });
    const empty = await tryGroupMessage(world, group, bob);
    expect([empty.status, Object.keys(empty.body.error.fields)]).toEqual([422, ['body']]);
    const blank = await tryGroupMessage(world, group, bob, ' \n\u200b');
    expect([blank.status, Object.keys(blank.body.error.fields)]).toEqual([422, ['body']]);
    const others = await tryGroupMessage(world, group, alice, undefined, { file_id: file.id });
    expect([others.status, Object.keys(others.body.error.fields)]).toEqual([422, ['file_id']]);
    const absent = await tryGroupMessage(world, group, alice, undefined, { file_id: `file_${'0'.repeat(26)}` });
    expect([absent.status, Object.keys(absent.body.error.fields)]).toEqual([422, ['file_id']]);
    const { status, body } = await tryGroupMessage(world, group, bob, 'Look', { file_id: file.id });
    expect([status, body.kind, body.body, body.file.id]).toEqual([201, 'media', 'Look', file.id]);
    const open = ({ token }: { token: string }) =>
      world.call(`POST /files/${file.id}/stream-token`, { token, body: {} });
    expect([(await open(alice)).status, (await open(carol)).status]).toEqual([200, 404]);
    const elsewhere = await createGroup(world, alice, 'Other');
    const foreign = await tryGroupMessage(world, elsewhere, alice, 'x', { reply_to: body.id });
    expect([foreign.status, Object.keys(foreign.body.error.fields)]).toEqual([422, ['reply_to']]);
  });

  it('creates one message for repeated requests with the same idempotency key', async () => {
    const { alice, bob } = people;
    const headers = { 'idempotency-key': 'once' };
    const path = `POST /groups/${group.id}/chat`;
    const send = () => world.call(path, { token: bob.token, body: { body: 'Once' }, headers });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(await groupTexts(world, group, alice)).toEqual(['Once']);
    expect(await unreadCount(world, group, alice)).toBe(1);
  });

  it('hides messages of two users from each other while a block exists, also after it has ended', async () => {
    const { alice, bob, carol } = people;
    await joinGroup(world, group, alice, carol);
    await sendGroupMessage(world, group, bob, 'Before');
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    const event_count = (await eventsOf(world, carol, 'chat.message')).length;
    const hidden = await sendGroupMessage(world, group, bob, 'Hidden');
    await sendGroupMessage(world, group, carol, 'From carol');
    expect(await groupTexts(world, group, carol)).toEqual(['From carol', 'Before']);
    expect(await groupTexts(world, group, bob)).toEqual(['Hidden', 'Before']);
    expect(await groupTexts(world, group, alice)).toEqual(['From carol', 'Hidden', 'Before']);
    expect(await eventsOf(world, carol, 'chat.message')).toHaveLength(event_count + 1);
    const reply = await tryGroupMessage(world, group, carol, 'x', { reply_to: hidden.id });
    expect(reply.status).toBe(422);
    await world.call(`DELETE /blocks/${bob.id}`, { token: carol.token });
    expect(await groupTexts(world, group, carol)).toEqual(['From carol', 'Before']);
    await sendGroupMessage(world, group, bob, 'After');
    expect(await groupTexts(world, group, carol)).toEqual(['After', 'From carol', 'Before']);
    expect(await unreadCount(world, group, carol)).toBe(1);
  });

  it('keeps unread counts correct when several messages are posted concurrently', async () => {
    const { alice, bob } = people;
    const bodies = Array.from({ length: 8 }, (_none, at) => `Number ${at}`);
    const sent = await Promise.all(bodies.map((body) => tryGroupMessage(world, group, bob, body)));
    expect(sent.map(({ status }) => status)).toEqual(bodies.map(() => 201));
    expect(await unreadCount(world, group, alice)).toBe(8);
  });

  it(
    'sends several files in one message, in their order, which its readers can open until it is deleted',
    slow,
    async () => {
      const { alice, bob } = people;
      const uploaded = [];
      for (let at = 0; at < 3; at++) uploaded.push(await uploadPicture(world, bob));
      const file_ids = idsOf(uploaded);
      await registerDevice(world, alice, { platform: 'ios', token: 'd'.repeat(64) });
      const sent = (await tryGroupMessage(world, group, bob, undefined, { file_ids })).body;
      expect([sent.kind, sent.file.id, idsOf(sent.files)]).toEqual(['media', file_ids[0], file_ids]);
      expect((await pushesOf(world, alice)).at(-1)).toMatchObject({ text: 'bob: 3 photos' });
      const [listed] = await itemsOf(world, `/groups/${group.id}/chat`, alice);
      expect(idsOf(listed.files)).toEqual(file_ids);
      const [media] = await itemsOf(world, `/messages/media?group_id=${group.id}&kind=media`, alice);
      expect(idsOf(media.files)).toEqual(file_ids);
      const open = async (id: string) =>
        (await world.call(`POST /files/${id}/stream-token`, { token: alice.token, body: {} })).status;
      expect(await Promise.all(file_ids.map(open))).toEqual([200, 200, 200]);
      const forward = { group_id: group.id, message_id: sent.id };
      const again = (await tryGroupMessage(world, group, alice, undefined, { forward })).body;
      expect(idsOf(again.files)).toEqual(file_ids);
      for (const { id } of [sent, again])
        expect((await world.call(`DELETE /groups/${group.id}/chat/${id}`, { token: alice.token })).status).toBe(204);
      const deleted = (await eventsOf(world, bob, 'chat.deleted')).at(-1).message;
      expect([deleted.file, deleted.files]).toEqual([null, undefined]);
      expect(await Promise.all(file_ids.map(open))).toEqual([404, 404, 404]);
    },
  );

  it('refuses files of others, one that is named twice or in two ways, and more than ten', async () => {
    const { alice, bob } = people;
    const [mine, theirs] = [await uploadPicture(world, bob), await uploadPicture(world, alice)];
    const fieldsOf = async (more: object) =>
      Object.keys((await tryGroupMessage(world, group, bob, undefined, more)).body.error?.fields ?? {});
    expect([
      await fieldsOf({ file_id: theirs.id }),
      await fieldsOf({ file_ids: [theirs.id] }),
      await fieldsOf({ file_ids: [mine.id, theirs.id] }),
      await fieldsOf({ file_ids: [mine.id, mine.id] }),
      await fieldsOf({ file_ids: [mine.id], file_id: mine.id }),
      await fieldsOf({ file_ids: Array.from({ length: 11 }, () => mine.id) }),
      await fieldsOf({ file_ids: [] }),
    ]).toEqual([['file_id'], ['file_ids.0'], ['file_ids.1'], ['file_ids.1'], ['file_ids'], ['file_ids'], ['file_ids']]);
    const one = (await tryGroupMessage(world, group, bob, undefined, { file_ids: [mine.id] })).body;
    expect([one.file.id, one.files]).toEqual([mine.id, undefined]);
  });

  it('accepts messages forwarded from a thread, as a whole or one of their files', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const files = [await uploadPicture(world, alice), await uploadPicture(world, alice)];
    const first = await sendMessage(world, thread, alice, 'Both', { media: files.map(({ id }) => id) });
    const forward = { thread_id: thread.id, message_id: first.id };
    const whole = (await tryGroupMessage(world, group, bob, undefined, { forward })).body;
    expect([whole.body, whole.forwarded, idsOf(whole.files)]).toEqual(['Both', true, idsOf(files)]);
    const sent = [];
    for (const { id } of files)
      sent.push((await tryGroupMessage(world, group, bob, undefined, { forward: { ...forward, file_id: id } })).body);
    expect(sent.map(({ body, file, kind, forwarded }) => [body, file.id, kind, forwarded])).toEqual([
      ['Both', files[0]?.id, 'media', true],
      ['', files[1]?.id, 'media', true],
    ]);
    const back = { group_id: group.id, message_id: sent[0].id };
    const again = (await tryGroupMessage(world, group, alice, undefined, { forward: back })).body;
    expect(again).toMatchObject({ body: 'Both', forwarded: true, author: { user: { username: 'alice' } } });
    const edited = await world.call(`PATCH /groups/${group.id}/chat/${again.id}`, {
      token: alice.token,
      body: { body: 'Never' },
    });
    expect(edited.body.error.code).toBe('edit_closed');
    const both = await tryGroupMessage(world, group, alice, 'Words', { forward: back });
    expect(Object.keys(both.body.error.fields)).toEqual(['body']);
  });
});
