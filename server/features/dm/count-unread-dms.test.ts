import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block } from '../../testing/steps/follows.ts';
import { answerRequest, openAcceptedThread, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /dm/unread-count', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('counts unread messages and pending requests separately', async () => {
    const { alice, bob, carol } = people;
    const count = async (who: typeof bob) => (await world.call('GET /dm/unread-count', { token: who.token })).body;
    const thread = await openAcceptedThread(world, alice, bob);
    await sendMessage(world, thread, bob, 'One more');
    const request_thread = await openThread(world, carol, alice);
    await sendMessage(world, request_thread, carol, 'May I?');
    expect(await count(alice)).toEqual({ count: 2, pending: 1 });
    expect(await count(carol)).toEqual({ count: 0, pending: 0 });
    await answerRequest(world, request_thread, alice, 'accept');
    expect(await count(alice)).toEqual({ count: 3, pending: 0 });
    await block(world, alice, bob);
    expect(await count(alice)).toEqual({ count: 1, pending: 0 });
    await block(world, carol, alice);
    expect(await count(alice)).toEqual({ count: 0, pending: 0 });
  });
});
