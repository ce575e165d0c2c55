import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  eventsOf,
  openAcceptedThread,
  openThread,
  readThread,
  sendMessage,
  threadTexts,
  tryMessage,
} from '../../testing/steps/messages.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /dm/threads/{thread_id}/clear', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const clear = (thread: { id: string }, { token }: Persona) =>
    world.call(`POST /dm/threads/${thread.id}/clear`, { token, body: {} });
  const unreadOf = async ({ token }: Persona) => (await world.call('GET /dm/unread-count', { token })).body.count;

  it('empties it for the caller alone, who keeps it in their list, and tells their devices', async () => {
    const { alice, bob, carol } = people;
    const [thread, other] = [
      await openAcceptedThread(world, alice, bob),
      await openAcceptedThread(world, alice, carol),
    ];
    await sendMessage(world, thread, bob, 'Unread');
    const bobs = (await eventsOf(world, bob, 'dm.thread')).length;
    const newest = await readThread(world, thread, alice);
    const answer = await clear(thread, alice);
    expect([answer.status, answer.body.last_message, answer.body.unread_count, answer.body.cleared_up_to]).toEqual([
      200,
      null,
      0,
      newest.last_message.id,
    ]);
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread).toEqual(answer.body);
    expect((await eventsOf(world, bob, 'dm.thread')).length).toBe(bobs);
    const list = async (who: Persona) => (await itemsOf(world, '/dm/threads', who)).map(({ id }: { id: string }) => id);
    expect(await list(alice)).toEqual([thread.id, other.id]);
    expect(await threadTexts(world, thread, alice)).toEqual([]);
    expect(await threadTexts(world, thread, bob)).toEqual(['Unread', 'Hello yourself', 'Hello']);
    expect((await readThread(world, thread, bob)).peer_read_up_to).toBe(newest.read_up_to);
    expect((await clear(thread, carol)).status).toBe(404);
  });

  it('hides what was written before on every path', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const { id: file_id } = await uploadPicture(world, bob);
    const secret = await sendMessage(world, thread, bob, 'secret https://example.org', { media: [file_id] });
    const mine = await sendMessage(world, thread, alice, 'secret of mine');
    const edit = { token: alice.token, body: { body: 'secret of me' } };
    await world.call(`PATCH /dm/threads/${thread.id}/chat/${mine.id}`, edit);
    await world.call(`PUT /dm/threads/${thread.id}/chat/${secret.id}/pin`, {
      token: bob.token,
      body: { pinned: true },
    });
    const react = `PUT /dm/threads/${thread.id}/chat/${secret.id}/reaction`;
    await world.call(react, { token: bob.token, body: { emoji: '👍' } });
    const first = (await itemsOf(world, `/dm/threads/${thread.id}/chat`, alice)).at(-1);
    const paths = [
      `/dm/threads`,
      `/dm/threads/${thread.id}`,
      `/dm/threads/${thread.id}/chat`,
      `/dm/threads/${thread.id}/chat?after_id=${first.id}`,
      `/dm/threads/${thread.id}/chat?around_id=${secret.id}`,
      `/dm/threads/${thread.id}/chat/${mine.id}/edits`,
      `/messages/search?q=secret`,
      `/messages/search?q=secret&thread_id=${thread.id}`,
      ...['media', 'documents', 'links'].map((kind) => `/messages/media?thread_id=${thread.id}&kind=${kind}`),
      `/messages/pinned?thread_id=${thread.id}`,
      `/messages/${secret.id}/reactions`,
      '/home',
    ];
    const answers = async (who: Persona) => {
      const texts: string[] = [];
      for (const path of paths) {
        const { status, body } = await world.call(`GET ${path}`, { token: who.token });
        texts.push(`${status} ${path} ${JSON.stringify(body)}`);
      }
      return texts.filter((text) => / 404 |secret of|secret https|👍/.test(text.replace(/^\d+ \S+/, '')));
    };
    const before = await answers(alice);
    await clear(thread, alice);
    expect(before.length).toBeGreaterThan(7);
    expect(await answers(alice)).toEqual([]);
    expect((await answers(bob)).length).toBe(before.length);

    const as = { token: alice.token };
    const statusOf = async (route: string, body?: object) =>
      (await world.call(route, { ...as, ...(body && { body }) })).status;
    expect([
      await statusOf(`GET /messages/${secret.id}/reactions`),
      await statusOf(`GET /dm/threads/${thread.id}/chat/${mine.id}/edits`),
      await statusOf(react, { emoji: '👍' }),
      await statusOf(`PATCH /dm/threads/${thread.id}/chat/${mine.id}`, { body: 'Again' }),
      await statusOf(`DELETE /dm/threads/${thread.id}/chat/${mine.id}`),
      await statusOf(`PUT /dm/threads/${thread.id}/chat/${secret.id}/pin`, { pinned: false }),
      await statusOf(`POST /files/${file_id}/stream-token`, {}),
    ]).toEqual([404, 404, 404, 404, 404, 404, 404]);
    const forward = { thread_id: thread.id, message_id: secret.id };
    const report = { target_type: 'message', target_id: secret.id, reason: 'spam' };
    expect([
      Object.keys((await tryMessage(world, thread, alice, 'Hm', { reply_to: secret.id })).body.error.fields),
      Object.keys((await tryMessage(world, thread, alice, undefined, { forward })).body.error.fields),
      Object.keys((await world.call('POST /abuse-reports', { ...as, body: report })).body.error.fields),
      await statusOf(`POST /dm/threads/${thread.id}/read`, { up_to_id: mine.id }),
      await statusOf(`POST /dm/threads/${thread.id}/delivered`, { up_to_id: mine.id }),
    ]).toEqual([['reply_to'], ['forward.message_id'], ['target_id'], 422, 422]);
    expect(await statusOf(`POST /files/${file_id}/stream-token`, {})).toBe(404);
    expect((await world.call(`POST /files/${file_id}/stream-token`, { token: bob.token, body: {} })).status).toBe(200);
  });

  it('shows and counts what is written from then on', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const before = await sendMessage(world, thread, bob, 'Before');
    expect(await unreadOf(alice)).toBe(2);
    await clear(thread, alice);
    expect(await unreadOf(alice)).toBe(0);
    // Neither an edit, a reaction nor the deletion of what was cleared reaches the devices.
    const sent = (await eventsOf(world, alice, 'dm.message')).length;
    const path = `/dm/threads/${thread.id}/chat/${before.id}`;
    await world.call(`PATCH ${path}`, { token: bob.token, body: { body: 'Changed' } });
    await world.call(`PUT ${path}/reaction`, { token: bob.token, body: { emoji: '👍' } });
    expect((await world.call(`DELETE ${path}`, { token: bob.token })).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.message')).length).toBe(sent);
    expect((await readThread(world, thread, alice)).unread_count).toBe(0);
    const [, after] = [
      await sendMessage(world, thread, bob, 'After', { reply_to: undefined }),
      await sendMessage(world, thread, bob, 'Later'),
    ];
    expect(await threadTexts(world, thread, alice)).toEqual(['Later', 'After']);
    expect((await readThread(world, thread, alice)).unread_count).toBe(2);
    await world.call(`POST /dm/threads/${thread.id}/read`, { token: alice.token, body: { up_to_id: after.id } });
    expect((await readThread(world, thread, alice)).unread_count).toBe(0);
    expect((await readThread(world, thread, bob)).peer_read_up_to).toBe(after.id);
    expect((await clear(thread, alice)).body.cleared_up_to).toBe(after.id);
    expect((await clear(thread, alice)).body.cleared_up_to).toBe(after.id);
  });

  it('refuses a request that waits for an answer', async () => {
    const { alice, carol: stranger } = people;
    const request = await openThread(world, stranger, alice);
    await sendMessage(world, request, stranger, 'Hello');
    expect((await clear(request, alice)).body.error.code).toBe('thread_pending');
    expect((await clear(request, stranger)).status).toBe(200);
    expect(await threadTexts(world, request, alice)).toEqual(['Hello']);
  });
});
