import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerRequest,
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
} from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /dm/threads/{thread_id}/read', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const read = (thread: { id: string }, who: Personas['bob'], up_to_id: string) =>
    world.call(`POST /dm/threads/${thread.id}/read`, { token: who.token, body: { up_to_id } });

  it('marks messages up to the given one as read, never moves back, and emits dm.thread to both', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const [first, second] = [
      await sendMessage(world, thread, alice, 'One'),
      await sendMessage(world, thread, alice, 'Two'),
    ];
    expect((await read(thread, bob, first.id)).status).toBe(204);
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 1, read_up_to: first.id });
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread.peer_read_up_to).toBe(first.id);
    expect((await eventsOf(world, bob, 'dm.thread')).at(-1).thread.unread_count).toBe(1);
    await read(thread, bob, second.id);
    const event_count = (await eventsOf(world, alice, 'dm.thread')).length;
    for (const { id } of [first, second]) expect((await read(thread, bob, id)).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(event_count);
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 0, read_up_to: second.id });
    expect(await readThread(world, thread, alice)).toMatchObject({ peer_read_up_to: second.id });
  });

  it('is not revealed to the sender of a pending request until it is accepted', async () => {
    const { alice, carol } = people;
    const thread = await openThread(world, alice, carol);
    const { id } = await sendMessage(world, thread, alice, 'May I?');
    const event_count = (await eventsOf(world, alice, 'dm.thread')).length;
    expect((await read(thread, carol, id)).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(event_count);
    expect((await readThread(world, thread, alice)).peer_read_up_to).toBeNull();
    await answerRequest(world, thread, carol, 'accept');
    expect((await readThread(world, thread, alice)).peer_read_up_to).toBe(id);
  });

  it('is not revealed while either user has receipts disabled', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const set = ({ token }: Personas['bob'], read_receipts: boolean) =>
      world.call('PATCH /me', { token, body: { read_receipts } });
    for (const who of [bob, alice]) {
      expect((await set(who, false)).body.read_receipts).toBe(false);
      const { id } = await sendMessage(world, thread, alice, 'Seen?');
      const body = { up_to_id: id };
      await world.call(`POST /dm/threads/${thread.id}/delivered`, { token: bob.token, body });
      const event_count = (await eventsOf(world, alice, 'dm.thread')).length;
      await read(thread, bob, id);
      expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(event_count);
      for (const viewer of [alice, bob]) expect((await readThread(world, thread, viewer)).peer_read_up_to).toBeNull();
      expect((await eventsOf(world, bob, 'dm.thread')).at(-1).thread.read_up_to).toBe(id);
      await set(who, true);
      expect((await readThread(world, thread, alice)).peer_read_up_to).toBe(id);
    }
  });

  it('is a delivery, which is revealed, of a message that no device has confirmed', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await world.call('PATCH /me', { token: bob.token, body: { read_receipts: false } });
    const { id } = await sendMessage(world, thread, alice, 'Seen?');
    await read(thread, bob, id);
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread).toMatchObject({
      peer_delivered_up_to: id,
      peer_read_up_to: null,
    });
    await world.call('PATCH /me', { token: bob.token, body: { read_receipts: true } });
  });

  it('accepts only messages of the thread', async () => {
    const { alice, bob, carol } = people;
    const [thread, other] = [await openAcceptedThread(world, alice, bob), await openAcceptedThread(world, bob, carol)];
    for (const id of [other.last_message.id, `dm_${'0'.repeat(26)}`]) {
      const answered = await read(thread, alice, id);
      expect([answered.status, Object.keys(answered.body.error.fields)]).toEqual([422, ['up_to_id']]);
    }
    expect((await read(thread, carol, thread.last_message.id)).status).toBe(404);
  });
});
