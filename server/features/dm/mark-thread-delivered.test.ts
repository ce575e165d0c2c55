import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerRequest,
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
} from '../../testing/steps/messages.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /dm/threads/{thread_id}/delivered', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const mark = (what: 'delivered' | 'read', thread: { id: string }, who: Persona, up_to_id: string) =>
    world.call(`POST /dm/threads/${thread.id}/${what}`, { token: who.token, body: { up_to_id } });
  const threadEventCount = async (who: Persona) => (await eventsOf(world, who, 'dm.thread')).length;

  it('emits dm.thread to the sender when a message is delivered but unread, and never moves back', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const [first, second] = [
      await sendMessage(world, thread, alice, 'One'),
      await sendMessage(world, thread, alice, 'Two'),
    ];
    expect((await readThread(world, thread, alice)).peer_delivered_up_to).toBe(thread.last_message.id);
    const bob_count = await threadEventCount(bob);
    expect((await mark('delivered', thread, bob, first.id)).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread).toMatchObject({
      peer_delivered_up_to: first.id,
      peer_read_up_to: thread.last_message.id,
    });
    expect(await threadEventCount(bob)).toBe(bob_count);
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 2, delivered_up_to: first.id });
    await mark('delivered', thread, bob, second.id);
    const before = await threadEventCount(alice);
    for (const { id } of [first, second]) expect((await mark('delivered', thread, bob, id)).status).toBe(204);
    expect([await threadEventCount(alice), (await readThread(world, thread, alice)).peer_delivered_up_to]).toEqual([
      before,
      second.id,
    ]);
  });

  it('treats read messages as delivered, and emits nothing again', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const { id } = await sendMessage(world, thread, alice, 'Read at once');
    await mark('read', thread, bob, id);
    const before = await threadEventCount(alice);
    await mark('delivered', thread, bob, id);
    expect(await threadEventCount(alice)).toBe(before);
    expect((await readThread(world, thread, alice)).peer_delivered_up_to).toBe(id);
  });

  it('is not revealed to the sender of a pending request', async () => {
    const { alice, carol } = people;
    const thread = await openThread(world, alice, carol);
    const { id } = await sendMessage(world, thread, alice, 'May I?');
    const before = await threadEventCount(alice);
    expect((await mark('delivered', thread, carol, id)).status).toBe(204);
    expect(await threadEventCount(alice)).toBe(before);
    expect((await readThread(world, thread, alice)).peer_delivered_up_to).toBeNull();
    await answerRequest(world, thread, carol, 'decline');
    expect((await readThread(world, thread, alice)).peer_delivered_up_to).toBeNull();
  });

  it('is revealed also while either user has receipts disabled, without what was read', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    for (const { token } of [bob, alice]) {
      await world.call('PATCH /me', { token, body: { read_receipts: false } });
      const { id } = await sendMessage(world, thread, alice, 'There?');
      const before = await threadEventCount(alice);
      await mark('delivered', thread, bob, id);
      expect(await threadEventCount(alice)).toBe(before + 1);
      expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread).toMatchObject({
        peer_delivered_up_to: id,
        peer_read_up_to: null,
      });
      await mark('read', thread, bob, id);
      expect(await threadEventCount(alice)).toBe(before + 1);
      expect(await readThread(world, thread, alice)).toMatchObject({ peer_delivered_up_to: id, peer_read_up_to: null });
      await world.call('PATCH /me', { token, body: { read_receipts: true } });
    }
  });

  it('accepts only messages of the thread', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const answered = await mark('delivered', thread, alice, `dm_${'0'.repeat(26)}`);
    expect([answered.status, Object.keys(answered.body.error.fields)]).toEqual([422, ['up_to_id']]);
    expect((await mark('delivered', thread, carol, thread.last_message.id)).status).toBe(404);
  });
});
