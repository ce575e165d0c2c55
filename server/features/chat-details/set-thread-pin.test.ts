import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { eventsOf, openAcceptedThread, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /dm/threads/{thread_id}/chat/{message_id}/pin', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const pin = (message: { id: string; thread_id: string }, { token }: Persona, pinned: unknown = true) =>
    world.call(`PUT /dm/threads/${message.thread_id}/chat/${message.id}/pin`, { token, body: { pinned } });
  const pinned = async (thread: { id: string }, who: Persona): Promise<string[]> =>
    (await itemsOf(world, `/messages/pinned?thread_id=${thread.id}`, who)).map((one: { body: string }) => one.body);

  it('pins for both people, and either unpins', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const first = await sendMessage(world, thread, alice, 'The pier at nine');
    const second = await sendMessage(world, thread, bob, 'Bring the records');
    for (const message of [second, first, first]) expect((await pin(message, bob)).status).toBe(204);
    for (const who of [alice, bob])
      expect(await pinned(thread, who)).toEqual(['Bring the records', 'The pier at nine']);
    await pin(second, alice, false);
    expect(await pinned(thread, bob)).toEqual(['The pier at nine']);
    for (const who of [alice, bob])
      expect(await eventsOf(world, who, 'chat.pinned')).toEqual([
        { thread_id: thread.id, message_id: second.id, pinned: true },
        { thread_id: thread.id, message_id: first.id, pinned: true },
        { thread_id: thread.id, message_id: second.id, pinned: false },
      ]);
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${first.id}`, { token: alice.token });
    expect(await pinned(thread, alice)).toEqual([]);
  });

  it('is possible in accepted threads, for their two people', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'Look');
    expect((await pin(message, carol)).status).toBe(404);
    expect((await world.call(`GET /messages/pinned?thread_id=${thread.id}`, { token: carol.token })).status).toBe(404);
    expect(Object.keys((await pin(message, bob, 'yes')).body.error.fields)).toEqual(['pinned']);
    const request = await sendMessage(world, await openThread(world, carol, bob), carol, 'May I?');
    expect((await pin(request, bob)).body.error.code).toBe('thread_pending');
    await block(world, alice, bob);
    expect((await pin(message, bob)).status).toBe(404);
  });
});
