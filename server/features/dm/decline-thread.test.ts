import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import {
  answerRequest,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
  tryMessage,
} from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /dm/threads/{thread_id}/decline', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('rejects further messages, and looks like a pending request to the sender', async () => {
    const { alice, bob, carol } = people;
    const declined = await openThread(world, alice, bob);
    const waiting = await openThread(world, alice, carol);
    await sendMessage(world, declined, alice, 'May I?');
    await sendMessage(world, waiting, alice, 'May I?');
    const event_count = (await world.events(`user:${alice.id}`)).length;
    const { status, body } = await answerRequest(world, declined, bob, 'decline');
    expect([status, body.state, body.unread_count]).toEqual([200, 'declined', 0]);
    expect((await eventsOf(world, bob, 'dm.thread')).at(-1).thread.state).toBe('declined');
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    expect((await world.events(`user:${alice.id}`)).length).toBe(event_count);
    const shown = async (thread: { id: string }) => {
      const { state, initiated_by_me, peer_read_up_to, unread_count } = await readThread(world, thread, alice);
      return { state, initiated_by_me, peer_read_up_to, unread_count };
    };
    expect(await shown(declined)).toEqual(await shown(waiting));
    expect(await shown(declined)).toMatchObject({ state: 'pending', initiated_by_me: true, peer_read_up_to: null });
    const [declined_answer, waiting_answer] = [
      await tryMessage(world, declined, alice, 'Hello?'),
      await tryMessage(world, waiting, alice, 'Hello?'),
    ];
    expect([declined_answer.status, declined_answer.body]).toEqual([409, waiting_answer.body]);
    expect(declined_answer.body.error.code).toBe('thread_pending');
    const opened = await world.call('POST /dm/threads', { token: alice.token, body: { user_id: bob.id } });
    expect([opened.status, opened.body.state]).toEqual([200, 'pending']);
    expect((await answerRequest(world, declined, alice, 'decline')).body.error.code).toBe('forbidden');
    expect((await answerRequest(world, declined, bob, 'decline')).body.error.code).toBe('already_decided');
    await sendMessage(world, declined, bob, 'Well then.');
    expect(await readThread(world, declined, alice)).toMatchObject({ state: 'active', unread_count: 1 });
  });
});
