import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendUser, restoreUser } from '../../domain/moderation/suspension.ts';
import { block } from '../../testing/steps/follows.ts';
import { openAcceptedThread, sendMessage, readThread, threadTexts, tryMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /dm/threads/{thread_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('is visible to its two users only, each with their unread count', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    expect(thread).toMatchObject({ state: 'active', initiated_by_me: true, unread_count: 1, peer: { id: bob.id } });
    expect(thread.last_message).toMatchObject({ body: 'Hello yourself', sender: { id: bob.id }, thread_id: thread.id });
    expect(await readThread(world, thread, bob)).toMatchObject({ initiated_by_me: false, unread_count: 0 });
    const [hidden, absent] = [
      await world.call(`GET /dm/threads/${thread.id}`, { token: carol.token }),
      await world.call(`GET /dm/threads/thr_${'0'.repeat(26)}`, { token: carol.token }),
    ];
    expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
  });

  it('returns 404 to both during a block; afterwards the thread is as declined by the blocker', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    await block(world, alice, bob);
    const routes = ['GET ', 'GET /chat', 'POST /accept', 'POST /decline', 'POST /chat', 'POST /read', 'POST /typing'];
    for (const who of [alice, bob])
      for (const route of routes) {
        const [method, path = ''] = route.split(' ');
        const bodies: Record<string, object> = {
          '/chat': { body: 'x' },
          '/read': { up_to_id: thread.last_message.id },
        };
        const body = method === 'POST' ? { body: bodies[path] ?? {} } : {};
        const answer = await world.call(`${method} /dm/threads/${thread.id}${path}`, { token: who.token, ...body });
        expect([route, answer.status]).toEqual([route, 404]);
      }
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'dm.gone', data: { id: thread.id } });
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    expect(await readThread(world, thread, alice)).toMatchObject({ state: 'declined', initiated_by_me: false });
    expect(await readThread(world, thread, bob)).toMatchObject({ state: 'pending', initiated_by_me: true });
    expect(await threadTexts(world, thread, bob)).toContain('Hello');
    expect((await tryMessage(world, thread, bob, 'Again?')).body.error.code).toBe('thread_pending');
    await sendMessage(world, thread, alice, 'Yes.');
    expect(await readThread(world, thread, bob)).toMatchObject({ state: 'active', unread_count: 1 });
    await sendMessage(world, thread, bob, 'Good.');
  });

  it('is hidden while the peer is suspended, and shows "deleted user" after their account is deleted', async () => {
    const { alice, carol } = people;
    const thread = await openAcceptedThread(world, alice, carol);
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'carol', motive);
    expect((await world.call(`GET /dm/threads/${thread.id}`, { token: alice.token })).status).toBe(404);
    await restoreUser(world.app.services, 'carol', motive);
    expect((await readThread(world, thread, alice)).peer.username).toBe('carol');
    const row = `update sessions set revoked_at = null where user_id = '${carol.id}'`;
    await world.app.services.db.native.query(row);
    world.app.services.sessions.drop(carol.session_id);
    const gone = await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    expect(gone.status).toBe(204);
    await world.settle();
    expect(await readThread(world, thread, alice)).toMatchObject({
      peer: { display_name: 'deleted user', avatar_url: null },
      peer_gone: true,
      last_message: { body: 'Hello yourself', sender: { display_name: 'deleted user' } },
    });
    const late = await tryMessage(world, thread, alice, 'Are you there?');
    expect([late.status, late.body.error.code]).toEqual([409, 'account_deleted']);
  });
});
