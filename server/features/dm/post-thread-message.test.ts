import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import {
  answerRequest,
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
  threadTexts,
  tryMessage,
} from '../../testing/steps/messages.ts';
import { focusKey } from '../../domain/notifications/push.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, openNode, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /dm/threads/{thread_id}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const deleteThreads = () => world.app.services.db.native.query('delete from dm_threads');

  it('emits dm.message to both users with their unread counts', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const { status, body } = await tryMessage(world, thread, alice, 'Good evening');
    expect(status).toBe(201);
    expect(body).toMatchObject({ thread_id: thread.id, sender: { id: alice.id }, body: 'Good evening', media: [] });
    expect(body.deleted_at).toBeNull();
    expect((await eventsOf(world, alice, 'dm.message')).at(-1)).toEqual({
      thread_id: thread.id,
      message: body,
      unread_count: 0,
    });
    expect((await eventsOf(world, bob, 'dm.message')).at(-1)).toMatchObject({ message: body, unread_count: 1 });
  });

  it('uses the current state of both users, even if another node has just changed it', slow, async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const last = async (who: Persona) => (await eventsOf(world, who, 'dm.message')).at(-1);
    const unread = async () => [(await last(bob)).unread_count, (await readThread(world, thread, bob)).unread_count];
    const refused = async () => {
      const { status, body } = await tryMessage(world, thread, alice, 'Too late');
      return [status, body.error?.code];
    };
    await sendMessage(world, thread, alice, 'One');
    const other = await openNode(world);
    try {
      await sendMessage(other, thread, alice, 'Two');
      await sendMessage(world, thread, alice, 'Three');
      expect(await unread()).toEqual([3, 3]);
      const { id } = await sendMessage(other, thread, bob, 'Read');
      expect((await last(alice)).unread_count).toBe(1);
      await sendMessage(world, thread, alice, 'Four');
      expect(await unread()).toEqual([1, 1]);
      await other.call(`POST /dm/threads/${thread.id}/read`, { token: bob.token, body: { up_to_id: id } });
      await other.call('PATCH /me', { token: alice.token, body: { display_name: 'Alice A.' } });
      expect((await sendMessage(world, thread, alice, 'Five')).sender.display_name).toBe('Alice A.');
      expect((await last(bob)).message.sender.display_name).toBe('Alice A.');
      await registerDevice(other, bob, { platform: 'android', token: 'a-device-of-bob' });
      await sendMessage(world, thread, alice, 'Six');
      expect(await pushesOf(world, bob)).toHaveLength(1);
      // From now on the sender's node has the devices cached.
      await sendMessage(world, thread, alice, 'Six and a half');
      expect(await pushesOf(world, bob)).toHaveLength(2);
      await registerDevice(other, bob, { platform: 'ios', token: 'another-device-of-bob' });
      await sendMessage(world, thread, alice, 'Almost seven');
      expect(await pushesOf(world, bob)).toHaveLength(4);
      await setReach(other, bob, { message: 'none' });
      expect(await refused()).toEqual([403, 'forbidden']);
      await setReach(other, bob, { message: 'everyone' });
      await other.app.services.db.native.query('delete from push_tokens');
      await sendMessage(world, thread, alice, 'Seven');
      await sendMessage(world, thread, alice, 'Eight');
      await block(other, bob, alice);
      expect(await refused()).toEqual([404, 'not_found']);
      expect(await threadTexts(world, thread, alice).catch(() => 'none')).toBe('none');
    } finally {
      await other.close();
    }
  });

  it('accepts one text from a stranger, and no files, receipts or second message until accepted', slow, async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openThread(world, alice, bob);
    const image = await uploadPicture(world, alice);
    const early = await tryMessage(world, thread, alice, 'Look', { media: [image.id] });
    expect([early.status, Object.keys(early.body.error.fields)]).toEqual([422, ['media']]);
    await sendMessage(world, thread, alice, 'May I?');
    expect(await readThread(world, thread, alice)).toMatchObject({ state: 'pending', initiated_by_me: true });
    expect(await readThread(world, thread, bob)).toMatchObject({
      state: 'pending',
      initiated_by_me: false,
      unread_count: 1,
    });
    for (const more of [{}, { media: [image.id] }]) {
      const second = await tryMessage(world, thread, alice, 'Please?', more);
      expect([second.status, second.body.error.code]).toEqual([409, 'thread_pending']);
    }
    expect(await threadTexts(world, thread, bob)).toEqual(['May I?']);
    // Replying accepts the request.
    await sendMessage(world, thread, bob, 'You may.');
    expect((await readThread(world, thread, alice)).state).toBe('active');
    await sendMessage(world, thread, alice, 'Look', { media: [image.id] });
  });

  it('starts an active thread if the recipient follows the sender or has them as a contact', async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    await follow(world, await createTag(world, alice, 'followed'), bob);
    const contact = await addContact(world, carol, { phones: [{ number: alice.mobile_number }] });
    for (const peer of [bob, carol]) {
      const thread = await openThread(world, alice, peer);
      expect(thread.state).toBe('active');
      await sendMessage(world, thread, alice, 'One');
      await sendMessage(world, thread, alice, 'Two');
      expect(await readThread(world, thread, peer)).toMatchObject({ state: 'active', unread_count: 2 });
    }
    await world.call(`DELETE /contacts/${contact.id}`, { token: carol.token });
  });

  it('accepts own files, with or without text, which only the two users can open', slow, async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, carol, alice);
    const [mine, theirs] = [await uploadPicture(world, carol), await uploadPicture(world, alice)];
    const sent = await tryMessage(world, thread, carol, undefined, { media: [mine.id] });
    expect([sent.status, sent.body.body, sent.body.media[0].id]).toEqual([201, '', mine.id]);
    const stream = ({ token }: Personas['bob']) =>
      world.call(`POST /files/${mine.id}/stream-token`, { token, body: {} });
    expect([(await stream(alice)).status, (await stream(carol)).status, (await stream(bob)).status]).toEqual([
      200, 200, 404,
    ]);
    const [event] = (await eventsOf(world, alice, 'dm.message')).slice(-1);
    const { pathname, search } = new URL(event.message.media[0].stream_url);
    const streamed = await world.app.http.inject({ method: 'GET', url: pathname + search });
    expect([streamed.statusCode, streamed.headers['content-type']]).toEqual([200, mine.content_type]);
    for (const [body, fields] of [
      [{ media: [theirs.id] }, ['media.0']],
      [{}, ['body']],
      [{ body: '' }, ['body']],
      [{ body: ' \n\u200b' }, ['body']],
      [{ body: 'x'.repeat(4001) }, ['body']],
      [{ media: [] }, ['body']],
    ] as const) {
      const refused = await tryMessage(world, thread, carol, undefined, body);
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, fields]);
    }
  });

  it('returns 403 if the reach of the recipient does not include the sender, except for replies', async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await setReach(world, bob, { message: 'none' });
    const stopped = await tryMessage(world, thread, alice, 'More');
    expect([stopped.status, stopped.body.error.code]).toEqual([403, 'forbidden']);
    await setReach(world, alice, { message: 'none' });
    await sendMessage(world, thread, bob, 'I may answer');
    for (const who of [alice, bob]) await setReach(world, who, { message: 'everyone' });
  });

  it('creates one message for repeated requests with the same idempotency key', async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const send = () =>
      world.call(`POST /dm/threads/${thread.id}/chat`, {
        token: alice.token,
        body: { body: 'Once' },
        headers: { 'idempotency-key': 'once' },
      });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(new Set(answers.map(({ status }) => status).filter((item) => item !== 409))).toEqual(new Set([201]));
    expect((await send()).headers['idempotent-replayed']).toBe('true');
    expect(await threadTexts(world, thread, bob)).toEqual(['Once', 'Hello yourself', 'Hello']);
    expect((await readThread(world, thread, bob)).unread_count).toBe(1);
  });

  it('returns and emits the same message as the list returns afterwards', async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await world.call('PATCH /me', { token: alice.token, body: { display_name: 'Alice of the test' } });
    const first = await sendMessage(world, thread, bob, 'How are you?');
    const sent = await world.call(`POST /dm/threads/${thread.id}/chat`, {
      token: alice.token,
      body: { body: 'Well', reply_to: first.id },
    });
    const [read] = await itemsOf(world, `/dm/threads/${thread.id}/chat`, bob);
    expect(sent.body).toEqual(read);
    const event = (await world.events(`user:${bob.id}`)).at(-1);
    expect(event).toEqual({ type: 'dm.message', data: { thread_id: thread.id, message: read, unread_count: 1 } });
  });

  it('keeps order and last message correct when both users send concurrently', slow, async () => {
    await deleteThreads();
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    for (let round = 1; round <= 5; round++) {
      await Promise.all(
        Array.from({ length: 12 }, (_, at) => sendMessage(world, thread, at % 3 ? alice : bob, `Word ${at}`)),
      );
      const items = await itemsOf(world, `/dm/threads/${thread.id}/chat?limit=100`, alice);
      expect(items).toHaveLength(2 + 12 * round);
      expect((await readThread(world, thread, alice)).last_message.id).toBe(items[0].id);
    }
    // Events are in the order of message ids, which read marks rely on.
    const ids = (await eventsOf(world, bob, 'dm.message')).map(({ message }) => message.id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('sends a push unless the thread is in focus, with text if push_text is on, none for requests', slow, async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    await registerDevice(world, bob, { platform: 'ios', token: 'a'.repeat(64) });
    const request_thread = await openThread(world, carol, bob);
    await sendMessage(world, request_thread, carol, 'May I?');
    expect(await pushesOf(world, bob)).toEqual([]);
    expect(await itemsOf(world, '/notifications', bob)).toMatchObject([{ text: 'carol sent you a message request' }]);
    const thread = await openThread(world, bob, alice);
    await sendMessage(world, thread, bob, 'Hello');
    await sendMessage(world, thread, alice, 'Hello yourself');
    const [push, ...others] = await pushesOf(world, bob);
    expect(others).toEqual([]);
    expect(push?.text).toContain('Hello yourself');
    const { bus } = world.app.services;
    await bus.touch(focusKey(bob.id), `thread:${thread.id} socket`, 60_000);
    await sendMessage(world, thread, alice, 'Seen at once');
    expect(await pushesOf(world, bob)).toHaveLength(1);
    await bus.drop(focusKey(bob.id), `thread:${thread.id} socket`);
    const { id } = await sendMessage(world, thread, alice, 'Taken back');
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${id}`, { token: alice.token });
    expect(await pushesOf(world, bob)).toHaveLength(1);
    await world.call('PATCH /me', { token: bob.token, body: { push_text: false } });
    await sendMessage(world, thread, alice, 'A secret');
    const [quiet] = await pushesOf(world, bob);
    expect(JSON.stringify(quiet)).not.toContain('secret');
    expect(await pushesOf(world, bob)).toHaveLength(2);
    await answerRequest(world, request_thread, bob, 'decline');
  });

  it('limits message requests per hour and stores none beyond the limit', slow, async () => {
    const small = await createWorld({ environment: { THROTTLE_FACTOR: '0.03' } });
    const { alice, bob, carol } = findPersonas();
    await sendMessage(small, await openThread(small, alice, bob), alice, 'May I?');
    const thread = await openThread(small, alice, carol);
    const refused = await tryMessage(small, thread, alice, 'May I?');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await threadTexts(small, thread, alice)).toEqual([]);
    await small.close();
  });

  it('combines the requests of several strangers into one notification', async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) await sendMessage(world, await openThread(world, who, alice), who, 'May I?');
    const notifications = (await itemsOf(world, '/notifications', alice)).filter(
      ({ kind }: { kind: string }) => kind === 'message_request',
    );
    expect(notifications).toMatchObject([{ text: '2 people sent you message requests', actor_count: 2 }]);
  });

  it('forwards text and files of a readable message without revealing its author', slow, async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    const source = await openAcceptedThread(world, alice, bob);
    const image = await uploadPicture(world, alice);
    const first = await sendMessage(world, source, alice, 'The pier at nine', { media: [image.id] });
    const thread = await openAcceptedThread(world, bob, carol);
    const forward = { thread_id: source.id, message_id: first.id };
    const sent = await tryMessage(world, thread, bob, undefined, { forward });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({
      sender: { id: bob.id },
      body: 'The pier at nine',
      forwarded: true,
      reply_to: null,
    });
    expect([first.forwarded, sent.body.media.map(({ id }: { id: string }) => id)]).toEqual([false, [image.id]]);
    const [event] = (await eventsOf(world, carol, 'dm.message')).slice(-1);
    expect(JSON.stringify(event)).not.toContain(alice.id);
    const open = (who: Persona) => world.call(`POST /files/${image.id}/stream-token`, { token: who.token, body: {} });
    expect((await open(carol)).status).toBe(200);
    // A forwarded message remains when the original is deleted, and cannot be edited.
    await world.call(`DELETE /dm/threads/${source.id}/chat/${first.id}`, { token: alice.token });
    expect((await open(carol)).status).toBe(200);
    const path = `/dm/threads/${thread.id}/chat/${sent.body.id}`;
    const edited = await world.call(`PATCH ${path}`, { token: bob.token, body: { body: 'Never' } });
    expect([edited.status, edited.body.error.code]).toEqual([409, 'edit_closed']);
    await world.call(`DELETE ${path}`, { token: bob.token });
    expect((await open(carol)).status).toBe(404);
  });

  it('does not forward messages that the sender cannot read, nor together with text or a reply', slow, async () => {
    await deleteThreads();
    const { alice, bob, carol } = people;
    const source = await openAcceptedThread(world, alice, bob);
    const secret = await sendMessage(world, source, alice, 'Between us');
    const gone = await sendMessage(world, source, alice, 'Gone');
    await world.call(`DELETE /dm/threads/${source.id}/chat/${gone.id}`, { token: alice.token });
    const group = await createGroup(world, alice, 'Band');
    const early = await sendGroupMessage(world, group, alice, 'Before you came');
    await joinGroup(world, group, alice, carol);
    const late = await sendGroupMessage(world, group, alice, 'Since you came');
    const [mine, theirs] = [await openAcceptedThread(world, bob, carol), await openAcceptedThread(world, alice, carol)];
    const ofThread = (message_id: string) => ({ forward: { thread_id: source.id, message_id } });
    const ofGroup = (message_id: string) => ({ forward: { group_id: group.id, message_id } });
    for (const [author, thread, more, field] of [
      [carol, mine, ofThread(secret.id), 'forward.message_id'],
      [carol, mine, ofGroup(early.id), 'forward.message_id'],
      [bob, mine, ofThread(gone.id), 'forward.message_id'],
      [bob, mine, ofGroup(late.id), 'forward.message_id'],
      [bob, mine, { forward: { thread_id: mine.id, message_id: secret.id } }, 'forward.message_id'],
      [bob, mine, { forward: { message_id: secret.id } }, 'forward.thread_id'],
      [bob, mine, { ...ofThread(secret.id), body: 'And more' }, 'body'],
      [bob, mine, { ...ofThread(secret.id), reply_to: secret.id }, 'reply_to'],
      [
        bob,
        mine,
        { forward: { ...ofThread(secret.id).forward, file_id: `file_${'0'.repeat(26)}` } },
        'forward.file_id',
      ],
    ] as const) {
      const refused = await tryMessage(world, thread, author, undefined, more);
      expect([refused.status, Object.keys(refused.body.error?.fields ?? {})]).toEqual([422, [field]]);
    }
    expect((await tryMessage(world, theirs, carol, undefined, ofGroup(late.id))).body.body).toBe('Since you came');
    await block(world, alice, bob);
    expect((await tryMessage(world, mine, bob, undefined, ofThread(secret.id))).status).toBe(422);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    // A message request contains text only.
    const dave = await register(world, 'dave', 75);
    const request_thread_of_bob = await openThread(world, bob, dave);
    const image = await uploadPicture(world, bob);
    const pictured = await sendMessage(world, mine, bob, 'Look', { media: [image.id] });
    const refused = await tryMessage(world, request_thread_of_bob, bob, undefined, {
      forward: { thread_id: mine.id, message_id: pictured.id },
    });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['forward']]);
  });
});
