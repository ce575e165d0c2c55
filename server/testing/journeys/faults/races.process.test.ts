/**
 * A block that races with every other operation that creates something between two people: never do both take effect
 * (M12).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../steps/calls.ts';
import { addContact, setReach } from '../../steps/contacts.ts';
import { actOnRequest, follow, itemsOf, createTag } from '../../steps/follows.ts';
import { addMember, answerInvite, createGroup } from '../../steps/groups.ts';
import { answerRequest, openAcceptedThread, openThread, sendMessage, tryMessage } from '../../steps/messages.ts';
import { findPersonas, type Persona } from '../../world/personas.ts';
import { postStatus } from '../../steps/statuses.ts';
import { createWorld, type World } from '../../world/world.ts';

const races = 250;

describe(`a block that races with 11 operations, ${races} times each`, () => {
  let world: World;
  let alice: Persona;
  let bob: Persona;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000', DATABASE_POOL: '10' } });
    ({ alice, bob } = findPersonas());
  });
  afterAll(() => world.close());

  const blockBob = () => world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } });
  const unblock = () => world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  const count = async (table: string, where: string) =>
    (await world.app.services.db.native.query(`select count(*)::int as n from ${table} where ${where}`)).rows[0]
      .n as number;

  /** Races an operation of bob against the block, repeatedly; returns how often the operation came first. */
  async function race(operation: () => Promise<{ status: number }>, check: () => Promise<void>): Promise<number> {
    let first = 0;
    for (let round = 0; round < races; round++) {
      const [first_act, second_act] = round % 2 ? [operation, blockBob] : [blockBob, operation];
      const first_result = first_act();
      // The second starts a few round trips later, a different number each time, so that either may come first.
      for (let trip_count = 0; trip_count < (round >> 1) % 10; trip_count++)
        await world.app.services.db.native.query('select 1');
      const answers = await Promise.all([first_result, second_act()]);
      const [acted, blocked] = round % 2 ? answers : answers.toReversed();
      expect([200, 201]).toContain(blocked?.status);
      expect(acted?.status).toBeLessThan(500);
      if ((acted?.status ?? 500) < 300) first += 1;
      await check();
      expect((await unblock()).status).toBe(204);
    }
    return first;
  }

  it('leaves no follow', async () => {
    const tag = await createTag(world, alice, 'raced');
    const first = await race(
      () => follow(world, tag, bob),
      async () => {
        expect(await count('follows', 'true')).toBe(0);
        expect(await count('notifications', 'true')).toBe(0);
        expect(await count('tags', 'follower_count <> 0')).toBe(0);
      },
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(races);
  });

  it('leaves no accepted follow and no request', async () => {
    const tag = await createTag(world, bob, 'asked', { follow_policy: 'approval' });
    const first = await race(
      async () => {
        const requested = await follow(world, tag, alice);
        if (requested.status !== 202) return requested;
        return actOnRequest(world, requested.body.request, bob, 'accept');
      },
      async () => {
        expect(await count('follows', 'true')).toBe(0);
        expect(await count('follow_requests', `state in ('pending', 'declined')`)).toBe(0);
      },
    );
    expect(first).toBeLessThan(races);
  });

  it('leaves no visible reply and no notification', async () => {
    const status = await postStatus(world, alice, 'raced');
    await race(
      () => world.call(`POST /statuses/${status.id}/replies`, { token: bob.token, body: { body: 'in time?' } }),
      async () => {
        expect(await itemsOf(world, `/statuses/${status.id}/replies`, alice)).toEqual([]);
        expect(await count('notifications', 'true')).toBe(0);
      },
    );
  });

  it('leaves no visible comment', async () => {
    await createTag(world, alice, 'commented');
    await race(
      () => world.call('POST /profiles/commented/comments', { token: bob.token, body: { body: 'in time?' } }),
      async () => {
        expect(await itemsOf(world, '/profiles/commented/comments', alice)).toEqual([]);
        expect(await count('notifications', 'true')).toBe(0);
      },
    );
  });

  it('leaves no invite to a group and no membership', async () => {
    const { native } = world.app.services.db;
    await setReach(world, alice, { find: 'everyone' });
    const group = await createGroup(world, bob, 'raced');
    const contact = await addContact(world, bob, { phones: [{ number: alice.mobile_number }] });
    const check = async () => {
      expect(await count('group_invites', `state in ('pending', 'accepted')`)).toBe(0);
      expect(await count('notifications', 'true')).toBe(0);
      // A denial would affect the next round.
      await native.query('delete from group_members');
      await native.query('delete from group_invites');
    };
    const invited = await race(async () => {
      const { body } = await addMember(world, group, contact, bob);
      return { status: body.state === 'invited' ? 201 : 404 };
    }, check);
    const invite = { id: `ginv_${'0'.repeat(26)}` };
    const insertInvite = () =>
      native.query(
        `insert into group_invites (id, group_id, user_id, state, created_at) values ($1, $2, $3, 'pending', now())`,
        [invite.id, group.id, alice.id],
      );
    await insertInvite();
    const joined = await race(
      () => answerInvite(world, invite, alice, 'accept'),
      async () => {
        await check();
        await insertInvite();
      },
    );
    for (const first of [invited, joined]) {
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThan(races);
    }
  });

  it('leaves no ring', async () => {
    await race(
      async () => {
        const call = await world.call('POST /calls', { token: bob.token, body: { to: [{ user_id: alice.id }] } });
        await world.call('DELETE /calls/active', { token: bob.token });
        return call;
      },
      async () => {
        expect(await count('call_participants', `user_id = '${alice.id}' and state = 'ringing'`)).toBe(0);
      },
    );
  });

  it('leaves nobody in a call whose host has blocked them', async () => {
    const { join_code } = await startCall(world, alice, [], { privacy: 'public' });
    const first = await race(
      () => world.call(`POST /calls/${join_code}/sfu-grant`, { token: bob.token, body: {} }),
      async () => {
        expect(
          await count('call_participants', `user_id = '${bob.id}' and state in ('ringing', 'joining', 'joined')`),
        ).toBe(0);
        // A removal would affect the next round.
        await world.app.services.db.native.query(`delete from call_participants where user_id = '${bob.id}'`);
      },
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(races);
  });

  it('leaves no opened thread and no active one', async () => {
    const { native } = world.app.services.db;
    const opened = await race(
      () => world.call('POST /dm/threads', { token: bob.token, body: { user_id: alice.id } }),
      async () => {
        for (const persona of [alice, bob]) expect(await itemsOf(world, '/dm/threads', persona)).toEqual([]);
        expect(await count('dm_threads', `state = 'active'`)).toBe(0);
        await native.query('delete from dm_threads');
      },
    );
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThan(races);
  });

  it('delivers no message afterwards (404), emits dm.gone, and leaves no active thread', async () => {
    const { native } = world.app.services.db;
    const thread = await openAcceptedThread(world, bob, alice);
    const countDelivered = () => count('events', `topic = 'user:${alice.id}' and type = 'dm.message'`);
    // Calls of tests before may still end meanwhile.
    const last_of_threads = `
      select type from events where topic = 'user:${alice.id}' and type like 'dm.%' order by xid desc, position desc limit 1`;
    let delivered = await countDelivered();
    let written = 0;
    const first = await race(
      async () => {
        const sent = await tryMessage(world, thread, bob, 'in time?');
        if (sent.status < 300) written += 1;
        return sent;
      },
      async () => {
        expect(await countDelivered()).toBe(delivered + written);
        [delivered, written] = [delivered + written, 0];
        expect(await count('dm_threads', `state = 'active'`)).toBe(0);
        expect((await tryMessage(world, thread, bob, 'too late')).status).toBe(404);
        expect((await native.query(last_of_threads)).rows).toEqual([{ type: 'dm.gone' }]);
        // The next round starts with a thread in which both may write.
        await native.query(`update dm_threads set state = 'active'`);
        await native.query(`update dm_members set folder = 'main'`);
      },
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(races);
    await native.query('delete from dm_threads');
  });

  it('leaves no accepted message request', async () => {
    const { native } = world.app.services.db;
    const thread = await openThread(world, alice, bob);
    await sendMessage(world, thread, alice, 'May I?');
    const first = await race(
      () => answerRequest(world, thread, bob, 'accept'),
      async () => {
        expect(await count('dm_threads', `state = 'active'`)).toBe(0);
        expect(await count('notifications', 'true')).toBe(0);
        expect((await answerRequest(world, thread, bob, 'accept')).status).toBe(404);
        await native.query(`update dm_threads set state = 'pending', initiator_id = $1, decided_at = null`, [alice.id]);
        await native.query(`update dm_members set folder = case user_id when $1 then 'main' else 'requests' end`, [
          alice.id,
        ]);
      },
    );
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(races);
  });
});
