import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { eventsOf, openThread, sendMessage } from '../../testing/steps/messages.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /dm/threads', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const open = (token: string, body: object) => world.call('POST /dm/threads', { token, body });

  it('returns one thread per pair of users, from either side', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, bob, 'bobs');
    const first = await open(alice.token, { user_id: bob.id });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      peer: { username: 'bob' },
      peer_gone: false,
      state: 'pending',
      initiated_by_me: true,
      last_message: null,
      unread_count: 0,
      read_up_to: null,
      peer_read_up_to: null,
    });
    const again = await open(alice.token, { tag: tag.name.toUpperCase() });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await open(bob.token, { user_id: alice.id });
    expect([other.status, other.body.id, other.body.initiated_by_me]).toEqual([200, first.body.id, false]);
    const threads = (await eventsOf(world, alice, 'dm.thread')).map(({ thread }) => thread);
    expect(threads.filter(({ id }) => id === first.body.id)).toEqual([first.body]);
  });

  it('creates one thread for concurrent requests', async () => {
    const { alice, carol } = people;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        at % 2 ? open(alice.token, { user_id: carol.id }) : open(carol.token, { user_id: alice.id }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('is visible to its initiator only until a message is sent', async () => {
    const { bob, carol } = people;
    const thread = await openThread(world, bob, carol);
    expect((await itemsOf(world, '/dm/threads', bob)).map(({ id }: { id: string }) => id)).toContain(thread.id);
    expect((await itemsOf(world, '/dm/threads', carol)).map(({ id }: { id: string }) => id)).not.toContain(thread.id);
    expect((await world.call(`GET /dm/threads/${thread.id}`, { token: carol.token })).status).toBe(404);
    expect((await eventsOf(world, carol, 'dm.thread')).map((item) => item.thread.id)).not.toContain(thread.id);
    await sendMessage(world, thread, bob, 'Now.');
    expect((await world.call(`GET /dm/threads/${thread.id}`, { token: carol.token })).body.initiated_by_me).toBe(false);
  });

  it('requires exactly one other user, by id or by tag', async () => {
    const { alice, bob } = people;
    const mine = await createTag(world, alice, 'alices');
    const hidden = await createTag(world, bob, 'bobs-own', { visibility: 'private' });
    const fieldsOf = async (body: object) => {
      const answer = await open(alice.token, body);
      return [answer.status, Object.keys(answer.body.error.fields)];
    };
    expect(await fieldsOf({})).toEqual([422, ['user_id']]);
    expect(await fieldsOf({ user_id: bob.id, tag: 'bobs' })).toEqual([422, ['user_id']]);
    expect(await fieldsOf({ user_id: alice.id })).toEqual([422, ['user_id']]);
    expect(await fieldsOf({ tag: mine.name })).toEqual([422, ['tag']]);
    expect(await fieldsOf({ user_id: `usr_${'0'.repeat(26)}` })).toEqual([422, ['user_id']]);
    expect(await fieldsOf({ tag: hidden.name })).toEqual([422, ['tag']]);
  });

  it('rejects blocked and suspended users with the same response as an unknown user', slow, async () => {
    const fresh_world = await createWorld();
    const { alice, bob, carol } = findPersonas();
    const openWith = (user_id: string) =>
      fresh_world.call('POST /dm/threads', { token: alice.token, body: { user_id } });
    const nobody = await openWith(`usr_${'0'.repeat(26)}`);
    await openThread(fresh_world, alice, bob);
    await block(fresh_world, bob, alice);
    await suspendUser(fresh_world.app.services, 'carol', { operator: 'olga', reason: 'because' });
    for (const { id } of [bob, carol]) expect((await openWith(id)).body).toEqual(nobody.body);
    await fresh_world.close();
  });

  it('respects the reach of the recipient for strangers, followers, mutual followers and contacts', slow, async () => {
    const fresh_world = await createWorld();
    const { alice, bob, carol } = findPersonas();
    const tryToOpen = async (who: typeof bob) => {
      const answer = await fresh_world.call('POST /dm/threads', { token: who.token, body: { user_id: alice.id } });
      await fresh_world.app.services.db.native.query('delete from dm_threads');
      return answer.status === 403 ? answer.body.error.code : answer.status;
    };
    const tags = {
      bob: await createTag(fresh_world, bob, 'of-bob'),
      alice: await createTag(fresh_world, alice, 'of-alice'),
    };
    const found: Record<string, unknown[]> = {};
    const row = async (relation: string) => {
      found[relation] = [];
      for (const reach of ['everyone', 'contacts', 'mutual', 'none']) {
        await setReach(fresh_world, alice, { message: reach });
        found[relation].push(await tryToOpen(bob));
      }
    };
    await row('stranger');
    await follow(fresh_world, tags.alice, bob);
    await row('follower');
    await follow(fresh_world, tags.bob, alice);
    await row('mutual');
    await setReach(fresh_world, alice, { message: 'contacts' });
    await addContact(fresh_world, alice, { phones: [{ number: carol.mobile_number }] });
    expect(await tryToOpen(carol)).toBe(201);
    expect(found).toEqual({
      stranger: [201, 'forbidden', 'forbidden', 'forbidden'],
      follower: [201, 'forbidden', 'forbidden', 'forbidden'],
      mutual: [201, 201, 201, 'forbidden'],
    });
    await fresh_world.close();
  });
});
