import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { answerRequest, eventsOf, openThread, sendMessage, readThread } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /dm/threads/{thread_id}/accept', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('activates the thread, once, only by the recipient of the request', async () => {
    const { alice, bob, carol } = people;
    const thread = await openThread(world, alice, bob);
    expect((await answerRequest(world, thread, bob, 'accept')).status).toBe(404);
    await sendMessage(world, thread, alice, 'May I?');
    expect(await itemsOf(world, '/notifications', bob)).toMatchObject([
      { kind: 'message_request', text: 'alice sent you a message request', subject: { type: 'thread', id: thread.id } },
    ]);
    expect((await answerRequest(world, thread, alice, 'accept')).body.error.code).toBe('forbidden');
    expect((await answerRequest(world, thread, carol, 'accept')).status).toBe(404);
    const accepted = await answerRequest(world, thread, bob, 'accept');
    expect([accepted.status, accepted.body.state, accepted.body.unread_count]).toEqual([200, 'active', 1]);
    for (const who of [alice, bob])
      expect((await eventsOf(world, who, 'dm.thread')).at(-1).thread).toEqual(await readThread(world, thread, who));
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    for (const decision of ['accept', 'decline'] as const)
      expect((await answerRequest(world, thread, bob, decision)).body.error.code).toBe('already_decided');
    await sendMessage(world, thread, alice, 'Thanks.');
  });
});
