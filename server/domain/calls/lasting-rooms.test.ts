import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, statesOf } from '../../testing/steps/calls.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { requestEntry } from '../../testing/steps/link-guests.ts';
import { sql } from '../../kernel/database/database.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('the call of a lasting room', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const createRoom = async (name: string, body: object = {}) => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, name);
    for (const who of [bob, carol]) await follow(world, tag, who);
    return (await saveRoom(world, `/xtags/${tag.id}`, alice, body)).join_code as string;
  };
  const getCall = (code: string, token: string) => world.call(`GET /calls/${code}`, { token });

  it('is started by the first participant, hosted by the owner once joined, and new each time', async () => {
    const { alice, bob, carol } = people;
    const code = await createRoom('first');
    const empty = await getCall(code, bob.token);
    expect([empty.status, empty.body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'not_open_yet', may_start: true, call_title: '*first' }),
    ]);
    const first = await joinRoom(world, code, bob);
    expect((await getCall(code, carol.token)).body).toMatchObject({ privacy: 'private', host: { username: 'bob' } });
    const second = await joinRoom(world, code, alice);
    expect(second.body.room).toBe(first.body.room);
    await connectMedia(world, first.body.room, alice, bob);
    expect((await getCall(code, bob.token)).body).toMatchObject({ state: 'live', host: { username: 'alice' } });
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await getCall(code, bob.token)).body.error.code).toBe('not_open_yet');
    const again = await joinRoom(world, code, bob);
    expect([again.status, again.body.room === first.body.room]).toEqual([200, false]);
    await world.call('DELETE /calls/active', { token: bob.token });
  });

  it('removes people whom the owner blocks, also one who is its host while the owner is not in it', async () => {
    const { alice, bob, carol } = people;
    const code = await createRoom('blocked');
    for (const others of [[carol], []]) {
      const { body } = await joinRoom(world, code, bob);
      for (const other of others) await joinRoom(world, code, other);
      await connectMedia(world, body.room, bob, ...others);
      await block(world, alice, bob);
      expect((await joinRoom(world, code, bob)).status).toBe(404);
      expect((await joinRoom(world, code, alice)).status).toBe(200);
      const { rows } = await world.app.services.db.native.query(
        'select state, removed_at is not null as is_removed from call_participants where call_id = $1 and user_id = $2',
        [body.room, bob.id],
      );
      expect(rows).toEqual([{ state: 'left', is_removed: true }]);
      expect((await getCall(code, alice.token)).body.host.username).toBe('alice');
      await world.call('DELETE /calls/active', { token: alice.token });
      await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
      await follow(world, { id: (await world.call('GET /xtags', { token: alice.token })).body.items[0].id }, bob);
    }
  });

  it('keeps who was called, and admits who may enter again, after those who may not enter have left', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'changing');
    const place = `/xtags/${tag.id}`;
    const { join_code } = await saveRoom(world, place, alice, { privacy: 'public' });
    const { body } = await joinRoom(world, join_code, bob);
    const to = [{ user_id: carol.id }];
    await world.call('POST /calls/active/participants', { token: bob.token, body: { to } });
    await joinRoom(world, join_code, carol);
    await connectMedia(world, body.room, bob, carol);
    await saveRoom(world, place, alice, { privacy: 'followers' });
    expect(Object.values(await statesOf(world, join_code, carol))).toEqual(['left', 'joined']);
    expect((await joinRoom(world, join_code, bob)).status).toBe(404);
    await follow(world, tag, bob);
    expect((await joinRoom(world, join_code, bob)).body.room).toBe(body.room);
    await joinRoom(world, join_code, alice);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('keeps only its owner and who was called when the room is deleted, and admits no more guests', async () => {
    const { alice, bob, carol, uma } = people;
    const tag = await createTag(world, alice, 'dissolved');
    for (const who of [bob, carol]) await follow(world, tag, who);
    const place = `/xtags/${tag.id}`;
    const { join_code } = await saveRoom(world, place, alice, { guests: 'ask' });
    const { body } = await joinRoom(world, join_code, bob);
    const to = [{ user_id: uma.id }];
    await world.call('POST /calls/active/participants', { token: bob.token, body: { to } });
    for (const who of [alice, carol]) await joinRoom(world, join_code, who);
    await connectMedia(world, body.room, alice, bob, carol);
    await requestEntry(world, join_code);
    await world.call(`DELETE ${place}/room`, { token: alice.token });
    const states = await statesOf(world, join_code, alice);
    expect(states).toEqual({ alice: 'joined', bob: 'left', carol: 'left', uma: 'ringing' });
    for (const who of [bob, carol]) expect((await joinRoom(world, join_code, who)).status).toBe(404);
    expect((await world.call(`GET /calls/${join_code}/preview`, {})).status).toBe(404);
    expect((await requestEntry(world, join_code)).status).toBe(404);
    await world.call('DELETE /calls/active', { token: alice.token });
    await world.call(`DELETE ${place}`, { token: alice.token });
  });

  it('is not started by somebody who waits while they lose the right to enter it', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'waiting');
    await follow(world, tag, bob);
    const { id, join_code } = await saveRoom(world, `/xtags/${tag.id}`, alice);
    let answer: ReturnType<typeof joinRoom> | undefined;
    await world.app.services.db.transaction(async (db) => {
      await db.run(sql`select 1 from lasting_rooms where id = ${id} for no key update`);
      answer = joinRoom(world, join_code, bob);
      await waitForLocks(world, 1);
      await db.run(sql`delete from follows where follower_id = ${bob.id}`);
    });
    expect((await answer)?.status).toBe(404);
  });

  it('can be entered again by its owner, whom the next host cannot remove', async () => {
    const { alice, bob } = people;
    const code = await createRoom('removed');
    const { body } = await joinRoom(world, code, bob);
    await joinRoom(world, code, alice);
    await connectMedia(world, body.room, alice, bob);
    await world.call(`POST /calls/${code}/leave`, { token: alice.token, body: {} });
    const { host, participants } = (await getCall(code, bob.token)).body;
    expect(host.username).toBe('bob');
    const { id } = participants.find((one: { user: { id: string } }) => one.user.id === alice.id);
    expect((await world.call(`DELETE /calls/active/participants/${id}`, { token: bob.token })).status).toBe(403);
    expect((await joinRoom(world, code, alice)).status).toBe(200);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('does not lock out its owner, who becomes the host', async () => {
    const { alice, bob, carol } = people;
    const code = await createRoom('locked');
    await joinRoom(world, code, bob);
    await world.call('PATCH /calls/active', { token: bob.token, body: { locked: true } });
    expect((await joinRoom(world, code, carol)).body.error.code).toBe('call_locked');
    expect((await joinRoom(world, code, alice)).status).toBe(200);
    expect((await getCall(code, alice.token)).body.host.username).toBe('alice');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('is one call when several people join concurrently', async () => {
    const { alice, bob, carol } = people;
    const code = await createRoom('rush');
    const all = await Promise.all([alice, bob, carol].map((who) => joinRoom(world, code, who)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(all.map(({ body }) => body.room)).size).toBe(1);
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('keeps participants who joined by the room when the host makes the call public and private again', async () => {
    const { alice, bob, carol } = people;
    const code = await createRoom('steady');
    for (const who of [alice, bob]) await joinRoom(world, code, who);
    for (const privacy of ['public', 'private'])
      await world.call('PATCH /calls/active', { token: alice.token, body: { privacy } });
    const { body } = await getCall(code, bob.token);
    expect(body.participants.map(({ state }: { state: string }) => state)).toEqual(['joining', 'joining']);
    await world.call('PATCH /calls/active', { token: alice.token, body: { locked: true } });
    expect((await joinRoom(world, code, carol)).body.error.code).toBe('call_locked');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('admits guests by the setting of the room, once a participant is in it', async () => {
    const { alice, bob } = people;
    const preview = (code: string) => world.call(`GET /calls/${code}/preview`, {});
    const closed = await createRoom('noguests');
    expect([(await preview(closed)).status, (await requestEntry(world, closed)).status]).toEqual([404, 404]);
    const code = await createRoom('guests', { guests: 'ask' });
    expect((await preview(code)).body).toMatchObject({
      host: { username: 'alice' },
      guests: 'ask',
      participant_count: 0,
    });
    const early = await requestEntry(world, code);
    expect([early.status, early.body.error.code]).toEqual([409, 'not_open_yet']);
    await joinRoom(world, code, bob);
    expect((await preview(code)).body.host.username).toBe('bob');
    expect((await requestEntry(world, code)).body.guest.state).toBe('waiting');
    await world.call('PATCH /calls/active', { token: bob.token, body: { guests: 'off' } });
    expect([(await preview(code)).status, (await requestEntry(world, code)).status]).toEqual([404, 404]);
    await world.call('DELETE /calls/active', { token: bob.token });
    await world.call('DELETE /calls/active', { token: alice.token });
  });
});
