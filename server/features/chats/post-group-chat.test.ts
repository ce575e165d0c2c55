import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

  it('accepts messages forwarded from a thread, with one of their files at a time', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const files = [await uploadPicture(world, alice), await uploadPicture(world, alice)];
    const first = await sendMessage(world, thread, alice, 'Both', { media: files.map(({ id }) => id) });
    const forward = { thread_id: thread.id, message_id: first.id };
    const refused = await tryGroupMessage(world, group, bob, undefined, { forward });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['forward.file_id']]);
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
