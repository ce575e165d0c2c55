import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inboxOf, startCall } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /inbox/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('marks a message as read and unread, by its owner only, and emits one event per change', async () => {
    const { alice, bob } = people;
    await startCall(world, alice, [bob]);
    await world.call('DELETE /calls/active', { token: alice.token });
    const [message] = await inboxOf(world, bob);
    const mark = (token: string, read: boolean) => world.call(`PATCH /inbox/${message.id}`, { token, body: { read } });
    const count = async () => (await world.call('GET /inbox/unread-count', { token: bob.token })).body.count;
    const eventCount = async () =>
      (await world.events(`user:${bob.id}`)).filter(({ type }) => type === 'inbox.message').length;
    expect(await count()).toBe(1);
    const before = await eventCount();
    expect((await mark(bob.token, true)).body).toEqual({ ...message, read: true });
    await mark(bob.token, true);
    expect([await count(), await eventCount()]).toEqual([0, before + 1]);
    expect((await mark(bob.token, false)).body).toEqual(message);
    expect(await count()).toBe(1);
    expect((await mark(alice.token, true)).status).toBe(404);
  });
});
