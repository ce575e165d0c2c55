import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { block, follow, createTag } from '../../testing/following.ts';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/personas.ts';
import { postStatus } from '../../testing/posting.ts';
import { poll } from '../../testing/running-service.ts';
import { createWorld, type World } from '../../testing/world.ts';

type Heard = { id: string; type: string; data: { status?: { body: string }; id?: string } };

describe('what a line hears of', () => {
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

  /** Connects a line that notes what it is sent, and why it was closed. */
  async function listen(who: Persona, last_event_id?: string) {
    const heard: Heard[] = [];
    const closed: string[] = [];
    const welcomes: { type: string; last_event_id: string }[] = [];
    const line = {
      user_id: who.id,
      session_id: who.session_id,
      channel: new PassThrough(),
      send: ({ text }: { text: string }) => void heard.push(JSON.parse(text) as Heard),
      close: (reason: string) => void closed.push(reason),
    };
    const leave = await world.app.services.realtime.join(line, last_event_id, (welcome) => welcomes.push(welcome));
    leaves.push(leave);
    return { heard, closed, welcomes, leave };
  }
  const bodies = (heard: Heard[]) => heard.flatMap(({ data }) => (data.status ? [data.status.body] : []));

  /** Whatever is on its way has arrived once this has. */
  async function settle(...lines: { heard: Heard[] }[]): Promise<void> {
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
    expect(lines.length).toBeGreaterThan(0);
  }

  it('begins with a follow and ends with it, while the line is open', async () => {
    const { alice, bob } = people;
    const [one, two] = [await createTag(world, alice, 'one-tag'), await createTag(world, alice, 'two-tag')];
    const line = await listen(bob);
    await postStatus(world, alice, 'too early', { tag_id: one.id });
    await follow(world, one, bob);
    await postStatus(world, alice, 'to one', { tag_id: one.id });
    await postStatus(world, alice, 'to two', { tag_id: two.id });
    await postStatus(world, alice, 'to all');
    await follow(world, two, bob);
    await world.call(`DELETE /xtags/${one.id}/follow`, { token: bob.token });
    await postStatus(world, alice, 'to one again', { tag_id: one.id });
    await postStatus(world, alice, 'to all again');
    await block(world, alice, bob);
    await postStatus(world, alice, 'after the block');
    await settle(line);
    expect(bodies(line.heard)).toEqual(['to one', 'to all', 'to all again']);
    expect(line.heard.some(({ type }) => type === 'subscription.changed')).toBe(false);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });

  it('catches up with posts, edits and deletions, once and in their order', async () => {
    const { alice, carol } = people;
    const tag = await createTag(world, alice, 'three-tag');
    await follow(world, tag, carol);
    const first = await listen(carol);
    await postStatus(world, alice, 'heard', { tag_id: tag.id });
    await settle(first);
    first.leave();
    const missed = await postStatus(world, alice, 'missed', { tag_id: tag.id });
    await world.call(`PATCH /statuses/${missed.id}`, { token: alice.token, body: { body: 'missed, mended' } });
    await world.call(`DELETE /statuses/${missed.id}`, { token: alice.token });
    const second = await listen(carol, first.heard.at(-1)?.id);
    await postStatus(world, alice, 'after', { tag_id: tag.id });
    await settle(second);
    expect(second.welcomes.map(({ type }) => type)).toEqual(['ready']);
    expect(second.heard.map(({ type }) => type)).toEqual([
      'status.posted',
      'status.updated',
      'status.deleted',
      'status.posted',
    ]);
    expect(bodies(second.heard)).toEqual(['missed', 'missed, mended', 'after']);
    expect(new Set([...first.heard, ...second.heard].map(({ id }) => id)).size).toBe(first.heard.length + 4);
  });

  it('is read for many changes at once while there are many', async () => {
    const { realtime, db } = world.app.services;
    const real = db.many.bind(db);
    const begun_ms: number[] = [];
    const read = vi.spyOn(db, 'many').mockImplementation((statement) => {
      if (statement.text.includes('from events where (xid')) begun_ms.push(performance.now());
      return real(statement);
    });
    while (begun_ms.length < 6) {
      realtime.wake();
      await new Promise(setImmediate);
    }
    read.mockRestore();
    const pauses_ms = begun_ms.slice(1).map((at, before) => at - (begun_ms[before] ?? 0));
    expect(Math.min(...pauses_ms)).toBeGreaterThan(4);
  });

  it("reaches the author's other devices once", async () => {
    const { alice } = people;
    const line = await listen(alice);
    await postStatus(world, alice, 'mine');
    await settle(line);
    expect(bodies(line.heard)).toEqual(['mine']);
  });

  it('ends with its session also while an older transaction is still running', async () => {
    const { alice } = people;
    const again = await signInAgain(world, alice);
    const line = await listen(again);
    const other = await world.app.services.db.native.connect();
    try {
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      expect((await world.call('POST /auth/logout', { token: again.token })).status).toBe(204);
      await poll(() => Promise.resolve(line.closed.length > 0), 'the end of the line', 1500);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(line.closed[0]).toBe('revoked');
    expect(line.heard.map(({ type }) => type)).toEqual(['session.revoked']);
  });

  it('says nothing late of somebody whom a block has taken away meanwhile, but what the block itself has to say', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'replayed');
    const away = await listen(alice);
    away.leave();
    const last_id = away.welcomes[0]?.last_event_id;
    for (const who of [bob, carol]) {
      const body = { body: `Hello from ${who.username}` };
      await world.call(`POST /profiles/${tag.name}/comments`, { token: who.token, body });
    }
    const catchUp = async () => {
      const line = await listen(alice, last_id);
      await settle(line);
      const text = JSON.stringify(line.heard);
      return [line.welcomes[0]?.type, text.includes(bob.id), text.includes(carol.id)];
    };
    expect(await catchUp()).toEqual(['ready', true, true]);
    await block(world, alice, bob);
    // Whoever comes before the block is read comes before it.
    await settle(away);
    expect(await catchUp()).toEqual(['ready', false, true]);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
  });
});
