import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAcceptedThread, openThread, sendMessage, readThread } from '../../../testing/steps/messages.ts';
import { decideTransition } from './message-request.ts';
import type { WriterThread } from '../queries.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { randomFrom, seedOf, usual_seed } from '../../../../testing/seed.ts';

const { seed, label } = seedOf(usual_seed);

describe('decideTransition', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const side = (more: object) =>
    ({
      user_id: 'me',
      initiator_id: 'me',
      state: 'pending',
      has_messages: false,
      decided_at: null,
      reached: true,
      knows: false,
      ...more,
    }) as WriterThread;
  const written = { has_messages: true };

  it('starts a thread as pending or active, depending on whether the peer knows the sender', () => {
    for (const initiator_id of ['me', 'them']) {
      expect(decideTransition(side({ initiator_id }))).toEqual({
        state: 'pending',
        initiator_id: 'me',
        decided: false,
      });
      expect(decideTransition(side({ initiator_id, knows: true })).state).toBe('active');
    }
    expect(() => decideTransition(side({ reached: false }))).toThrow('cannot send messages');
  });

  it('rejects further messages until the peer replies, which accepts the thread', () => {
    for (const state of ['pending', 'declined']) {
      expect(() => decideTransition(side({ ...written, state }))).toThrow('Wait for them to accept');
      const answered = decideTransition(side({ ...written, state, initiator_id: 'them', reached: false }));
      expect(answered).toEqual({ state: 'active', initiator_id: 'them', decided: true });
    }
    expect(decideTransition(side({ ...written, state: 'active' })).decided).toBe(false);
    expect(() => decideTransition(side({ ...written, state: 'active', reached: false }))).toThrow(
      'cannot send messages',
    );
  });

  it(`keeps unread counts equal to the stored messages, over random operations (${label})`, async () => {
    const { alice, bob } = people;
    const pair = [alice, bob] as const;
    const thread = await openAcceptedThread(world, alice, bob);
    const ids: { id: string; by: number }[] = [];
    const random = randomFrom(seed);
    const draw = (below: number) => Math.floor(random() * below);
    for (let step = 0; step < 60; step++) {
      const who = draw(2);
      const message = ids[draw(ids.length || 1)];
      if (draw(3) === 0 && message) {
        const { token } = pair[message.by] ?? alice;
        if (draw(2)) await world.call(`DELETE /dm/threads/${thread.id}/chat/${message.id}`, { token });
        else
          await world.call(`POST /dm/threads/${thread.id}/read`, {
            token: pair[who]?.token,
            body: { up_to_id: message.id },
          });
      } else ids.push({ id: (await sendMessage(world, thread, pair[who] ?? alice, `Word ${step}`)).id, by: who });
      const { rows } = await world.app.services.db.native.query(`
        select d.unread_count, (select count(*)::int from dm_messages m where m.thread_id = d.thread_id
          and m.sender_id <> d.user_id and m.deleted_at is null and m.id > coalesce(d.read_up_to, '')) as expected
        from dm_members d`);
      for (const { unread_count, expected } of rows) expect(unread_count).toBe(expected);
    }
    expect((await readThread(world, thread, alice)).state).toBe('active');
    expect(ids.length).toBeGreaterThan(20);
    expect((await openThread(world, bob, alice)).id).toBe(thread.id);
  });
});
