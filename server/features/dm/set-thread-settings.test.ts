import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { createGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, eventsOf, openThread, sendMessage, readThread } from '../../testing/steps/messages.ts';
import { findPersonas, advanceSeconds, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const no_settings = { muted_until: null, archived: false, pinned: false, pinned_at: null, marked_unread: false };
const pinned_settings = { ...no_settings, pinned: true, pinned_at: expect.any(String) };
const forever = '9999-12-31T23:59:59Z';

describe('PATCH /dm/threads/{thread_id}/settings', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const set = (thread: { id: string }, { token }: Persona, body: object) =>
    world.call(`PATCH /dm/threads/${thread.id}/settings`, { token, body });
  const settingsOf = async (thread: { id: string }, who: Persona) => (await readThread(world, thread, who)).settings;
  const list = async (who: Persona, query = '') =>
    (await itemsOf(world, `/dm/threads${query}`, who)).map(({ id }: { id: string }) => id);
  const inHours = (hours: number) =>
    new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');

  it('applies to the caller only, emits dm.thread to their devices, and changes only the given fields', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    expect(await settingsOf(thread, alice)).toEqual(no_settings);
    const event_count = (await eventsOf(world, bob, 'dm.thread')).length;
    const muted = await set(thread, alice, { muted_until: forever });
    expect([muted.status, muted.body.settings]).toEqual([200, { ...no_settings, muted_until: forever }]);
    expect((await set(thread, alice, { pinned: true })).body.settings).toEqual({
      ...pinned_settings,
      muted_until: forever,
    });
    expect((await eventsOf(world, alice, 'dm.thread')).at(-1).thread.settings.pinned).toBe(true);
    expect((await eventsOf(world, bob, 'dm.thread')).length).toBe(event_count);
    expect(await settingsOf(thread, bob)).toEqual(no_settings);
    expect((await set(thread, alice, { muted_until: null, pinned: false })).body.settings).toEqual(no_settings);
    expect((await set(thread, carol, { pinned: true })).status).toBe(404);
    expect((await set({ id: `thr_${'0'.repeat(26)}` }, alice, { pinned: true })).status).toBe(404);
    for (const [body, field] of [
      [{ muted_until: inHours(-1) }, 'muted_until'],
      [{ muted_until: '2030-99-99T00:00:00Z' }, 'muted_until'],
      [{ archived: true, pinned: true }, 'pinned'],
      [{ pinned: 'yes' }, 'pinned'],
    ] as const)
      expect(Object.keys((await set(thread, alice, body)).body.error.fields)).toEqual([field]);
    await block(world, alice, bob);
    expect((await set(thread, alice, { pinned: true })).status).toBe(404);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });

  it('sends no pushes and adds nothing to the total unread count while the thread is muted', async () => {
    const { alice, bob } = people;
    const thread = await openThread(world, alice, bob);
    await sendMessage(world, thread, alice, 'Before');
    await sendMessage(world, thread, bob, 'After all');
    await registerDevice(world, bob, { platform: 'ios', token: 'c'.repeat(64) });
    const countOf = async () => (await world.call('GET /dm/unread-count', { token: bob.token })).body.count;
    const before = await countOf();
    await set(thread, bob, { muted_until: inHours(1) });
    await sendMessage(world, thread, alice, 'Quiet');
    expect(await pushesOf(world, bob)).toEqual([]);
    expect([(await readThread(world, thread, bob)).unread_count, await countOf()]).toEqual([1, before]);
    await advanceSeconds(world, 3601);
    expect([await settingsOf(thread, bob), await countOf()]).toEqual([no_settings, before + 1]);
    await sendMessage(world, thread, alice, 'Aloud');
    expect((await pushesOf(world, bob)).length).toBe(1);
  });

  it('marks a thread as unread for the caller alone until they read it', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const message = await sendMessage(world, thread, alice, 'The pier at nine?');
    expect((await set(thread, bob, { marked_unread: true })).body.settings.marked_unread).toBe(true);
    const { unread_count } = await readThread(world, thread, bob);
    expect([unread_count, (await settingsOf(thread, alice)).marked_unread]).toEqual([1, false]);
    await world.call(`POST /dm/threads/${thread.id}/read`, { token: bob.token, body: { up_to_id: message.id } });
    expect((await settingsOf(thread, bob)).marked_unread).toBe(false);
    await set(thread, bob, { marked_unread: true });
    expect((await set(thread, bob, { marked_unread: false })).body.settings).toEqual(no_settings);
  });

  it('archives a thread until the next message, or permanently while it is muted', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await set(thread, alice, { pinned: true });
    expect((await set(thread, alice, { archived: true })).body.settings).toEqual({ ...no_settings, archived: true });
    expect([await list(alice), await list(alice, '?archived=true')]).toEqual([
      expect.not.arrayContaining([thread.id]),
      [thread.id],
    ]);
    expect(await list(bob)).toContain(thread.id);
    await sendMessage(world, thread, bob, 'Are you there?');
    expect([await list(alice, '?archived=true'), (await list(alice))[0]]).toEqual([[], thread.id]);
    await set(thread, alice, { archived: true, muted_until: forever });
    await sendMessage(world, thread, bob, 'Still there?');
    expect(await list(alice, '?folder=main&archived=true')).toEqual([thread.id]);
    expect((await set(thread, alice, { pinned: true })).body.settings.archived).toBe(false);
    await set(thread, alice, { pinned: false, muted_until: null });
  });

  it('lists pinned threads first, at most five, in a stable order across pages', slow, async () => {
    const { alice, bob } = people;
    await world.app.services.db.native.query('delete from dm_threads');
    const threads: string[] = [];
    for (let at = 0; at < 8; at++) {
      const peer = await register(world, `peer${at}`, 60 + at);
      const thread = await openThread(world, alice, peer);
      await sendMessage(world, thread, alice, `To ${at}`);
      threads.push(thread.id);
    }
    for (const at of [1, 4, 0]) {
      expect((await set({ id: threads[at]! }, alice, { pinned: true })).status).toBe(200);
      await advanceSeconds(world, 1);
    }
    const order = [0, 4, 1, 7, 6, 5, 3, 2].map((at) => threads[at]);
    expect(await list(alice)).toEqual(order);
    for (const cursorOf of [
      ({ id }: { id: string }) => id,
      ({ last_message }: { last_message: { id: string } }) => last_message.id,
    ])
      for (const limit of [1, 2, 3, 5]) {
        const walked: string[] = [];
        for (let before = ''; ;) {
          const { body } = await world.call(`GET /dm/threads?limit=${limit}${before}`, { token: alice.token });
          walked.push(...body.items.map(({ id }: { id: string }) => id));
          if (!body.has_more) break;
          before = `&before_id=${cursorOf(body.items.at(-1))}`;
        }
        expect(walked).toEqual(order);
      }
    expect(await list(alice, '?offset=2&limit=3')).toEqual(order.slice(2, 5));
    const group = await createGroup(world, alice, 'Pinned too');
    await world.call(`PATCH /groups/${group.id}/chat/settings`, { token: alice.token, body: { pinned: true } });
    expect((await set({ id: threads[2]! }, alice, { pinned: true })).status).toBe(200);
    const full = await set({ id: threads[3]! }, alice, { pinned: true });
    expect([full.status, full.body.error.code]).toEqual([409, 'limit_reached']);
    expect((await set({ id: threads[2]! }, alice, { pinned: true })).status).toBe(200);
    await set({ id: threads[2]! }, alice, { pinned: false });
    expect((await set({ id: threads[3]! }, alice, { pinned: true })).status).toBe(200);
    expect(await list(bob)).toEqual([]);
  });
});
