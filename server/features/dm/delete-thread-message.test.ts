import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import {
  openAcceptedThread,
  eventsOf,
  openThread,
  sendMessage,
  readThread,
  threadTexts,
  tryMessage,
} from '../../testing/steps/messages.ts';
import { refuseBulk } from '../../testing/attacks/refuse-bulk.ts';
import { advanceSeconds, findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('DELETE /dm/threads/{thread_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const remove = (thread: { id: string }, who: Personas['bob'], id: string) =>
    world.call(`DELETE /dm/threads/${thread.id}/chat/${id}`, { token: who.token });

  /** Tells whether a stored event contains the text, half a minute later. */
  const isInEvents = async (text: string) => {
    await advanceSeconds(world, 31);
    await world.settle();
    return await isStored(text);
  };
  const isStored = async (text: string) =>
    (await world.app.services.db.native.query(`select 1 from events where data::text like $1`, [`%${text}%`]))
      .rowCount !== 0;

  it('removes text and files for both sides, keeps an empty entry, and decrements the unread count', slow, async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const image = await uploadPicture(world, alice);
    const other = await sendMessage(world, thread, alice, 'Kept');
    const { id } = await sendMessage(world, thread, alice, 'Gone', { media: [image.id] });
    expect((await readThread(world, thread, bob)).unread_count).toBe(2);
    expect((await remove(thread, bob, id)).body.error.code).toBe('forbidden');
    expect((await remove(thread, alice, id)).status).toBe(204);
    expect(await threadTexts(world, thread, bob)).toEqual([null, 'Kept', 'Hello yourself', 'Hello']);
    const [tombstone] = await itemsOf(world, `/dm/threads/${thread.id}/chat`, bob);
    expect(tombstone).toMatchObject({ id, body: '', media: [] });
    expect(await readThread(world, thread, bob)).toMatchObject({ unread_count: 1, last_message: tombstone });
    for (const [who, unread_count] of [
      [alice, 0],
      [bob, 1],
    ] as const)
      expect((await eventsOf(world, who, 'dm.message')).at(-1)).toEqual({
        thread_id: thread.id,
        message: tombstone,
        unread_count,
      });
    const opened = await world.call(`POST /files/${image.id}/stream-token`, { token: bob.token, body: {} });
    expect(opened.status).toBe(404);
    const { rows } = await world.app.services.db.native.query('select body from dm_messages where id = $1', [id]);
    expect(rows).toEqual([{ body: '' }]);
    expect([await isInEvents('Gone'), await isInEvents('Kept')]).toEqual([false, true]);
    expect((await remove(thread, alice, id)).status).toBe(404);
    // Deleting a message that has been read does not change the count.
    await world.call(`POST /dm/threads/${thread.id}/read`, { token: bob.token, body: { up_to_id: id } });
    const unread = await sendMessage(world, thread, alice, 'Unread');
    await remove(thread, alice, other.id);
    expect((await readThread(world, thread, bob)).unread_count).toBe(1);
    await remove(thread, alice, unread.id);
    expect((await readThread(world, thread, bob)).unread_count).toBe(0);
  });

  it('removes the notification of a request, but no second request can be sent', async () => {
    const { alice, carol } = people;
    const thread = await openThread(world, alice, carol);
    const { id } = await sendMessage(world, thread, alice, 'Wrong words');
    expect(await itemsOf(world, '/notifications', carol)).toHaveLength(1);
    const event_count = (await eventsOf(world, carol, 'dm.thread')).length;
    expect(await isInEvents('Wrong words')).toBe(true);
    await remove(thread, alice, id);
    expect(await isInEvents('Wrong words')).toBe(false);
    expect((await eventsOf(world, carol, 'dm.thread')).length).toBe(event_count);
    expect(await itemsOf(world, '/notifications', carol)).toEqual([]);
    expect((await tryMessage(world, thread, alice, 'Other words')).body.error.code).toBe('thread_pending');
    expect((await remove(thread, carol, `dm_${'0'.repeat(26)}`)).status).toBe(404);
  });

  it('erases the text from many events in portions, since events of anybody wait for a statement', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, bob, alice);
    const { id } = await sendMessage(world, thread, alice, 'Repeated');
    await world.app.services.db.native.query(`
      insert into events (topic, type, data, at)
      select topic, type, data, at from events, generate_series(1, 1500)
      where type = 'dm.message' and topic = 'user:${bob.id}' and data::text like '%Repeated%'`);
    await refuseBulk(world, 'events');
    await remove(thread, alice, id);
    expect(await isInEvents('Repeated')).toBe(false);
  });
});
