import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerRequest,
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
} from '../../testing/messaging.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

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

  it('marks up to a message, never back, and tells both', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const [one, two] = [await sendMessage(world, thread, alice, 'One'), await sendMessage(world, thread, alice, 'Two')];
    expect((await read(thread, bob, one.id)).status).toBe(204);
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 1, read_up_to: one.id });
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread.peer_read_up_to).toBe(one.id);
    expect((await eventsOf(world, bob, 'dm.thread')).at(-1).thread.unread_count).toBe(1);
    await read(thread, bob, two.id);
    const told = (await eventsOf(world, alice, 'dm.thread')).length;
    for (const { id } of [one, two]) expect((await read(thread, bob, id)).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(told);
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 0, read_up_to: two.id });
    expect(await readThread(world, thread, alice)).toMatchObject({ peer_read_up_to: two.id });
  });

  it('shows whoever waits for an answer no receipt, until they have it', async () => {
    const { alice, carol } = people;
    const thread = await openThread(world, alice, carol);
    const { id } = await sendMessage(world, thread, alice, 'May I?');
    const told = (await eventsOf(world, alice, 'dm.thread')).length;
    expect((await read(thread, carol, id)).status).toBe(204);
    expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(told);
    expect((await readThread(world, thread, alice)).peer_read_up_to).toBeNull();
    await answerRequest(world, thread, carol, 'accept');
    expect((await readThread(world, thread, alice)).peer_read_up_to).toBe(id);
  });

  it('tells nobody while either has receipts off, and shows neither', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const set = ({ token }: Personas['bob'], read_receipts: boolean) =>
      world.call('PATCH /me', { token, body: { read_receipts } });
    for (const who of [bob, alice]) {
      expect((await set(who, false)).body.read_receipts).toBe(false);
      const { id } = await sendMessage(world, thread, alice, 'Seen?');
      const told = (await eventsOf(world, alice, 'dm.thread')).length;
      await read(thread, bob, id);
      expect((await eventsOf(world, alice, 'dm.thread')).length).toBe(told);
      for (const one of [alice, bob]) expect((await readThread(world, thread, one)).peer_read_up_to).toBeNull();
      expect((await eventsOf(world, bob, 'dm.thread')).at(-1).thread.read_up_to).toBe(id);
      await set(who, true);
      expect((await readThread(world, thread, alice)).peer_read_up_to).toBe(id);
    }
  });

  it('knows the messages of its thread alone', async () => {
    const { alice, bob, carol } = people;
    const [one, other] = [await openAcceptedThread(world, alice, bob), await openAcceptedThread(world, bob, carol)];
    for (const id of [other.last_message.id, `dm_${'0'.repeat(26)}`]) {
      const answered = await read(one, alice, id);
      expect([answered.status, Object.keys(answered.body.error.fields)]).toEqual([422, ['up_to_id']]);
    }
    expect((await read(one, carol, one.last_message.id)).status).toBe(404);
  });
});
