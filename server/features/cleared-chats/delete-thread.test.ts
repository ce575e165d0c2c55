import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  answerRequest,
  eventsOf,
  openAcceptedThread,
  openThread,
  readThread,
  sendMessage,
  threadTexts,
} from '../../testing/steps/messages.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /dm/threads/{thread_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const remove = (thread: { id: string }, { token }: Persona) =>
    world.call(`DELETE /dm/threads/${thread.id}`, { token });
  const listOf = async (who: Persona, query = '') =>
    (await itemsOf(world, `/dm/threads${query}`, who)).map(({ id }: { id: string }) => id);
  const statusOf = async (thread: { id: string }, { token }: Persona) =>
    (await world.call(`GET /dm/threads/${thread.id}`, { token })).status;

  it('removes it for the caller alone, once, and tells their devices', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const pin = { token: alice.token, body: { pinned: true } };
    await world.call(`PATCH /dm/threads/${thread.id}/settings`, pin);
    const bobs = await eventsOf(world, bob, 'dm.gone');
    expect((await remove(thread, carol)).status).toBe(404);
    expect((await remove(thread, alice)).status).toBe(204);
    expect((await remove(thread, alice)).status).toBe(204);
    expect(await eventsOf(world, alice, 'dm.gone')).toEqual([{ id: thread.id }]);
    expect(await eventsOf(world, bob, 'dm.gone')).toEqual(bobs);
    expect([await listOf(alice), await listOf(alice, '?archived=true'), await statusOf(thread, alice)]).toEqual([
      [],
      [],
      404,
    ]);
    expect(await listOf(bob)).toEqual([thread.id]);
    expect(await threadTexts(world, thread, bob)).toEqual(['Hello yourself', 'Hello']);
    expect((await world.call(`GET /dm/threads/${thread.id}/chat`, { token: alice.token })).status).toBe(404);
  });

  it('brings it back with a new message, and only what came later', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await sendMessage(world, thread, bob, 'Unread');
    await registerDevice(world, alice, { platform: 'ios', token: 'c'.repeat(64) });
    await remove(thread, alice);
    await sendMessage(world, thread, bob, 'Are you there?');
    expect(await listOf(alice)).toEqual([thread.id]);
    expect(await threadTexts(world, thread, alice)).toEqual(['Are you there?']);
    const back = await readThread(world, thread, alice);
    expect([back.unread_count, back.last_message.body, back.settings.pinned]).toEqual([1, 'Are you there?', false]);
    expect((await pushesOf(world, alice)).length).toBe(1);
    expect(await threadTexts(world, thread, bob)).toEqual(['Are you there?', 'Unread', 'Hello yourself', 'Hello']);
  });

  it('shows it empty when it is opened again, in the folder where it was', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await remove(thread, alice);
    const opened = await openThread(world, alice, bob);
    expect([opened.id, opened.last_message, opened.state]).toEqual([thread.id, null, 'active']);
    expect(await threadTexts(world, thread, alice)).toEqual([]);
    const request = await openThread(world, carol, alice);
    await sendMessage(world, request, carol, 'Hello');
    await answerRequest(world, request, alice, 'decline');
    await remove(request, alice);
    expect(await listOf(alice, '?folder=declined')).toEqual([]);
    await openThread(world, alice, carol);
    expect(await listOf(alice, '?folder=declined')).toEqual([request.id]);
    expect((await readThread(world, request, carol)).state).toBe('pending');
  });

  it('refuses a request that waits for an answer, and keeps that of its sender waiting', async () => {
    const { alice, bob, carol: stranger } = people;
    const request = await openThread(world, stranger, alice);
    await sendMessage(world, request, stranger, 'Hello');
    const refused = await remove(request, alice);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'thread_pending']);
    expect((await remove(request, stranger)).status).toBe(204);
    expect(await listOf(alice, '?folder=requests')).toEqual([request.id]);
    await answerRequest(world, request, alice, 'accept');
    await sendMessage(world, request, alice, 'Welcome');
    expect(await threadTexts(world, request, stranger)).toEqual(['Welcome']);
    expect((await remove(request, bob)).status).toBe(404);
  });
});
