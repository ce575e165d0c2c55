import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { countPortions } from '../../testing/attacks/portions.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import {
  answerRequest,
  openAcceptedThread,
  openThread,
  sendMessage,
  readThread,
} from '../../testing/steps/messages.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('threads', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const deleteAccount = async ({ token, password }: Persona) => {
    expect((await world.call('DELETE /me', { token, body: { password } })).status).toBe(204);
    await world.settle();
  };
  const count = async (table: string) =>
    (await world.app.services.db.native.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;

  it('are declined by a block while pending, and unchanged by it when only opened', async () => {
    const { alice, bob, carol } = people;
    const unblock = (who: Persona, other: Persona) => world.call(`DELETE /blocks/${other.id}`, { token: who.token });
    const requested = await openThread(world, alice, bob);
    await sendMessage(world, requested, alice, 'May I?');
    await block(world, alice, bob);
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
    await unblock(alice, bob);
    expect(await readThread(world, requested, bob)).toMatchObject({ state: 'declined', initiated_by_me: false });
    expect(await readThread(world, requested, alice)).toMatchObject({ state: 'pending', initiated_by_me: true });
    expect((await answerRequest(world, requested, bob, 'accept')).body.error.code).toBe('already_decided');
    const opened = await openThread(world, alice, carol);
    await block(world, carol, alice);
    expect((await world.events(`user:${carol.id}`)).filter(({ type }) => type.startsWith('dm.'))).toEqual([]);
    await unblock(carol, alice);
    expect((await world.call(`GET /dm/threads/${opened.id}`, { token: carol.token })).status).toBe(404);
    await sendMessage(world, opened, alice, 'May I?');
    expect(await readThread(world, opened, carol)).toMatchObject({ state: 'pending', initiated_by_me: false });
  });

  it('are removed with an account when empty; others stay, but are not visible across a block', slow, async () => {
    const { alice, bob, carol } = people;
    const dora = await register(world, 'dora', 70);
    const accepted = await openAcceptedThread(world, dora, alice);
    const image = await uploadPicture(world, dora);
    await sendMessage(world, accepted, dora, 'With a picture', { media: [image.id] });
    const blocked_thread = await openAcceptedThread(world, dora, bob);
    await block(world, bob, dora);
    const requested = await openThread(world, dora, carol);
    await sendMessage(world, requested, dora, 'May I?');
    const empty = await openThread(world, dora, people.uma);
    const requesterNames = async () =>
      (await itemsOf(world, '/notifications', carol)).map(
        (notification: { actor: { username: string } }) => notification.actor.username,
      );
    expect(await requesterNames()).toEqual(['dora']);
    await deleteAccount(dora);
    const [newest] = await itemsOf(world, `/dm/threads/${accepted.id}/chat`, alice);
    expect(newest).toMatchObject({ body: 'With a picture', media: [], sender: { display_name: 'deleted user' } });
    expect(await itemsOf(world, '/dm/threads', bob)).toEqual([]);
    expect((await world.call(`GET /dm/threads/${blocked_thread.id}`, { token: bob.token })).status).toBe(404);
    expect(await requesterNames()).toEqual([]);
    expect(await readThread(world, requested, carol)).toMatchObject({ peer_gone: true });
    const { rows } = await world.app.services.db.native.query('select id from dm_threads');
    expect(rows.map(({ id }) => id)).not.toContain(empty.id);
    expect(rows).toHaveLength(3);
  });

  it('are removed when both accounts are deleted', async () => {
    const { bob, carol } = people;
    const emil = await register(world, 'emil', 71);
    await openAcceptedThread(world, emil, bob);
    await openAcceptedThread(world, emil, carol);
    await deleteAccount(bob);
    expect(await count('dm_threads')).toBe(2);
    await deleteAccount(emil);
    expect([await count('dm_threads'), await count('dm_messages'), await count('dm_members')]).toEqual([1, 2, 2]);
    expect(await itemsOf(world, '/dm/threads', carol)).toHaveLength(1);
  });

  it('are purged in portions, however many an account has', slow, async () => {
    const { alice, bob } = people;
    const frida = await register(world, 'frida', 72);
    const request = await openThread(world, frida, alice);
    await sendMessage(world, request, frida, 'May I?');
    const thread = await openAcceptedThread(world, frida, bob);
    const db = world.app.services.db.native;
    // So many people more to whom she has written, as to Alice, and so many messages more to Bob.
    const multiply = (table: string, change: string, which: string) =>
      db.query(`
        insert into ${table} select (jsonb_populate_record(r, ${change})).*
        from ${table} r, (select i, lpad(i::text, 26, '0') as key from generate_series(1, 1200) i) one where ${which}`);
    const other = (column: string) => `replace(r.${column}, '${alice.id}', 'usr_' || one.key)`;
    await multiply(
      'users',
      "jsonb_build_object('id', 'usr_' || key, 'username', 'crowd_' || i, 'email', null, 'mobile_number', null)",
      `r.id = '${alice.id}'`,
    );
    await multiply(
      'dm_threads',
      `jsonb_build_object('id', 'thr_' || key, 'low_id', least('usr_' || key, '${frida.id}'), 'high_id', greatest('usr_' || key, '${frida.id}'))`,
      `r.id = '${request.id}'`,
    );
    await multiply(
      'dm_members',
      `jsonb_build_object('thread_id', 'thr_' || key, 'user_id', ${other('user_id')}, 'peer_id', ${other('peer_id')})`,
      `r.thread_id = '${request.id}'`,
    );
    await multiply(
      'notifications',
      `jsonb_build_object('id', 'note_' || key, 'user_id', 'usr_' || key, 'subject_id', 'thr_' || key)`,
      `r.user_id = '${alice.id}'`,
    );
    await multiply(
      'notification_acts',
      `jsonb_build_object('source_id', 'thr_' || key, 'user_id', 'usr_' || key, 'notification_id', 'note_' || key)`,
      `r.source_id = '${request.id}'`,
    );
    await db.query(`
      insert into dm_messages (id, thread_id, sender_id, body, created_at)
      select 'dm_' || lpad(i::text, 26, '0'), '${thread.id}', '${frida.id}', 'Again', now() from generate_series(1, 1200) i`);
    const acts = await countPortions(world, 'notification_acts', 'delete');
    const messages = await countPortions(world, 'dm_messages', 'delete');
    await deleteAccount(bob);
    await deleteAccount(frida);
    expect([await count('dm_threads'), await count('notification_acts')]).toEqual([1201, 0]);
    expect(await acts()).toEqual({ total: 1201, at_once: 500 });
    expect(await messages()).toEqual({ total: 1202, at_once: 500 });
  });
});
