import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { poll } from '../../testing/running/running-service.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { isHolder, redeemGrant } from '../security/grant.ts';
import { slow } from '../../../testing/slow-tests.ts';

type ReceivedEvent = { id: string; type: string; data: { status?: { body: string }; id?: string } };

describe('the stream of a connection', () => {
  let world: World;
  let people: Personas;
  const leaves: (() => void)[] = [];
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(async () => {
    for (const leave of leaves) leave();
    await world.close();
  });

  /** Opens a connection that records its events and the reasons for closing it. */
  async function openConnection(who: Persona, last_event_id?: string) {
    const received: ReceivedEvent[] = [];
    const closed: string[] = [];
    const welcomes: { type: string; last_event_id: string }[] = [];
    const connection = {
      user_id: who.id,
      session_id: who.session_id,
      channel: new PassThrough(),
      isValid: () => isHolder(world.app.services, { user_id: who.id, session_id: who.session_id }),
      send: ({ text }: { text: string }) => void received.push(JSON.parse(text) as ReceivedEvent),
      close: (reason: string) => void closed.push(reason),
    };
    const leave = await world.app.services.realtime.join(connection, last_event_id, (welcome) =>
      welcomes.push(welcome),
    );
    leaves.push(leave);
    return { received, closed, welcomes, leave };
  }
  const bodies = (received: ReceivedEvent[]) => received.flatMap(({ data }) => (data.status ? [data.status.body] : []));

  /** Waits until all events so far have been delivered. */
  async function settle(...connections: { received: ReceivedEvent[] }[]): Promise<void> {
    const { realtime, db } = world.app.services;
    const mark = async () =>
      (
        await db.native.query(
          'select xid::text, position::text from events order by events.xid desc, events.position desc limit 1',
        )
      ).rows[0];
    const last = await mark();
    await poll(
      () => Promise.resolve(realtime.headId().endsWith(`.${last.xid}.${last.position}`)),
      'the reader of the outbox',
    );
    expect(connections.length).toBeGreaterThan(0);
  }

  it('includes the statuses of a tag from follow to unfollow, while the connection is open', async () => {
    const { alice, bob } = people;
    const [first_tag, second_tag] = [
      await createTag(world, alice, 'one-tag'),
      await createTag(world, alice, 'two-tag'),
    ];
    const connection = await openConnection(bob);
    await postStatus(world, alice, 'too early', { tag_id: first_tag.id });
    await follow(world, first_tag, bob);
    await postStatus(world, alice, 'to one', { tag_id: first_tag.id });
    await postStatus(world, alice, 'to two', { tag_id: second_tag.id });
    await postStatus(world, alice, 'to all');
    await follow(world, second_tag, bob);
    await world.call(`DELETE /xtags/${first_tag.id}/follow`, { token: bob.token });
    await postStatus(world, alice, 'to one again', { tag_id: first_tag.id });
    await postStatus(world, alice, 'to all again');
    await block(world, alice, bob);
    await postStatus(world, alice, 'after the block');
    await settle(connection);
    expect(bodies(connection.received)).toEqual(['to one', 'to all', 'to all again']);
    expect(connection.received.some(({ type }) => type === 'subscription.changed')).toBe(false);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });

  it('answers `reset` to an account that is replayed many events again and again', slow, async () => {
    const { bob, carol } = people;
    const { realtime_replay, realtime_replays_burst } = world.app.services.limits;
    const since = world.app.services.realtime.headId();
    await world.app.services.db.native.query(
      `insert into events (topic, type, data, at)
       select $1, 'dm.typing', '{}', now() from generate_series(1, $2::int)`,
      [`user:${bob.id}`, realtime_replay],
    );
    await settle(await openConnection(carol));
    const welcomes: (string | undefined)[] = [];
    for (let count = 0; count < realtime_replays_burst + 3; count++) {
      const connection = await openConnection(bob, since);
      welcomes.push(connection.welcomes[0]?.type);
      connection.leave();
    }
    expect(welcomes.slice(0, realtime_replays_burst)).toEqual(Array(realtime_replays_burst).fill('ready'));
    expect(welcomes.at(-1)).toBe('reset');
    expect((await openConnection(carol, since)).welcomes[0]?.type).toBe('ready');
  });

  it('replays posts, edits and deletions once and in order', async () => {
    const { alice, carol } = people;
    const tag = await createTag(world, alice, 'three-tag');
    await follow(world, tag, carol);
    const first = await openConnection(carol);
    await postStatus(world, alice, 'heard', { tag_id: tag.id });
    await settle(first);
    first.leave();
    const missed = await postStatus(world, alice, 'missed', { tag_id: tag.id });
    await world.call(`PATCH /statuses/${missed.id}`, { token: alice.token, body: { body: 'missed, mended' } });
    await world.call(`DELETE /statuses/${missed.id}`, { token: alice.token });
    await settle(first);
    const second = await openConnection(carol, first.received.at(-1)?.id);
    await postStatus(world, alice, 'after', { tag_id: tag.id });
    await settle(second);
    expect(second.welcomes.map(({ type }) => type)).toEqual(['ready']);
    expect(second.received.map(({ type }) => type)).toEqual([
      'status.posted',
      'status.updated',
      'status.deleted',
      'status.posted',
    ]);
    // The deleted status has lost its text.
    expect(bodies(second.received)).toEqual(['', '', 'after']);
    expect(new Set([...first.received, ...second.received].map(({ id }) => id)).size).toBe(first.received.length + 4);
  });

  it('reads the outbox at intervals of at least 5 ms under load', async () => {
    const { realtime, db } = world.app.services;
    const real = db.many.bind(db);
    const reads_count = 6;
    const started_ms: number[] = [];
    const read = vi.spyOn(db, 'many').mockImplementation((statement) => {
      if (statement.text.includes('from events where (xid')) started_ms.push(performance.now());
      return real(statement);
    });
    const begun_ms = performance.now();
    while (started_ms.length < reads_count) {
      realtime.wake();
      await new Promise(setImmediate);
    }
    read.mockRestore();
    // Not each interval: a pause of the process between the reader's clock and its statement would shorten the next one.
    expect((started_ms.at(-1) ?? 0) - begun_ms).toBeGreaterThanOrEqual(5 * (reads_count - 1));
  });

  it("includes the author's own statuses once", async () => {
    const { alice } = people;
    const connection = await openConnection(alice);
    await postStatus(world, alice, 'mine');
    await settle(connection);
    expect(bodies(connection.received)).toEqual(['mine']);
  });

  it('ends with its session, even while an older transaction is still running', async () => {
    const { alice } = people;
    const again = await signInAgain(world, alice);
    const connection = await openConnection(again);
    const blocking_client = await world.app.services.db.native.connect();
    try {
      await blocking_client.query('begin');
      await blocking_client.query('select pg_current_xact_id()');
      expect((await world.call('POST /auth/logout', { token: again.token })).status).toBe(204);
      await poll(() => Promise.resolve(connection.closed.length > 0), 'the end of the connection', 1500);
    } finally {
      await blocking_client.query('rollback');
      blocking_client.release();
    }
    expect(connection.closed[0]).toBe('revoked');
    expect(connection.received.map(({ type }) => type)).toEqual(['session.revoked']);
  });

  it('does not begin for a session that ended between its check and its registration', async () => {
    const { services } = world.app;
    const device = await signInAgain(world, people.alice);
    const { body: grant } = await world.call('POST /realtime/grant', { token: device.token, body: {} });
    // As the gateway does it, while somebody signs the device out on another node.
    const granted = await redeemGrant(services, grant.token, () => undefined);
    expect(granted?.session_id).toBe(device.session_id);
    const { token } = people.alice;
    expect((await world.call(`DELETE /auth/sessions/${device.session_id}`, { token })).status).toBe(204);
    await settle(await openConnection(people.alice));
    await expect(openConnection(device)).rejects.toMatchObject({ code: 'token_invalid' });
    // The stream with an access token, which was valid when the request came.
    const stream = world.call('GET /realtime/stream', { token: device.token });
    expect((await stream).status).toBe(401);
  });

  it('does not replay events of a user who was blocked in the meantime', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'replayed');
    const closed_connection = await openConnection(alice);
    closed_connection.leave();
    const last_id = closed_connection.welcomes[0]?.last_event_id;
    for (const who of [bob, carol]) {
      const body = { body: `Hello from ${who.username}` };
      await world.call(`POST /profiles/${tag.name}/comments`, { token: who.token, body });
    }
    const catchUp = async () => {
      const connection = await openConnection(alice, last_id);
      await settle(connection);
      const text = JSON.stringify(connection.received);
      return [connection.welcomes[0]?.type, text.includes(bob.id), text.includes(carol.id)];
    };
    expect(await catchUp()).toEqual(['ready', true, true]);
    await block(world, alice, bob);
    // A connection that is opened before the block is read would be treated as before the block.
    await settle(closed_connection);
    expect(await catchUp()).toEqual(['ready', false, true]);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });
});
