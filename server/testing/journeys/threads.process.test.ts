/** A thread against a model: openings, words, answers, blocks and their ends in any order (M11, M12, N22). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../following.ts';
import { answerRequest, threadTexts, tryMessage } from '../messaging.ts';
import { findPersonas, type Persona } from '../personas.ts';
import { createWorld, type World } from '../world.ts';

type Side = 0 | 1;
type Kind = 'open' | 'write' | 'accept' | 'decline' | 'block' | 'unblock';

/** What stands between two who do not know each other. */
type Tie = {
  id?: string;
  seen: [boolean, boolean];
  blocks: [boolean, boolean];
  initiator: Side;
  state: 'pending' | 'active' | 'declined';
  decided: boolean;
  words: number;
};

const other = (who: Side): Side => (who === 0 ? 1 : 0);
const isBlockedPair = ({ blocks }: Tie) => blocks[0] || blocks[1];
const sees = (tie: Tie, who: Side) => tie.id !== undefined && tie.seen[who] && !isBlockedPair(tie);

describe('a thread', () => {
  let world: World;
  let pair: [Persona, Persona];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob } = findPersonas();
    pair = [alice, bob];
  });
  afterAll(() => world.close());

  const threadOf = ({ id = `thr_${'0'.repeat(26)}` }: Tie) => ({ id });

  function expectWritten(tie: Tie, who: Side): string {
    if (!sees(tie, who)) return '404 not_found';
    const is_first = tie.words === 0 && !tie.decided;
    if (!is_first && tie.state !== 'active' && tie.initiator === who) return '409 thread_pending';
    if (is_first) [tie.initiator, tie.state, tie.seen] = [who, 'pending', [true, true]];
    else if (tie.state !== 'active') [tie.state, tie.decided] = ['active', true];
    tie.words += 1;
    return '201 done';
  }

  function expectAnswered(tie: Tie, who: Side, state: 'active' | 'declined'): string {
    if (!sees(tie, who)) return '404 not_found';
    if (tie.initiator === who) return '403 forbidden';
    if (tie.state !== 'pending') return '409 already_decided';
    [tie.state, tie.decided] = [state, true];
    return '200 done';
  }

  function expectBlocked(tie: Tie, who: Side): string {
    if (tie.blocks[who]) return '200 done';
    tie.blocks[who] = true;
    if (tie.words === 0) [tie.state, tie.decided] = ['pending', false];
    else {
      if (tie.state === 'active') tie.initiator = other(who);
      [tie.state, tie.decided] = ['declined', true];
    }
    return '201 done';
  }

  async function move(tie: Tie, who: Side, kind: Kind): Promise<void> {
    const [me, peer] = [pair[who], pair[other(who)]];
    const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      `${status} ${body.error?.code ?? 'done'}`;
    if (kind === 'open') {
      const opened = await world.call('POST /dm/threads', { token: me.token, body: { user_id: peer.id } });
      expect(outcome(opened)).toBe(isBlockedPair(tie) ? '422 validation_failed' : tie.id ? '200 done' : '201 done');
      if (isBlockedPair(tie)) return;
      if (tie.id === undefined) [tie.id, tie.initiator] = [opened.body.id, who];
      expect(opened.body.id).toBe(tie.id);
      tie.seen[who] = true;
    } else if (kind === 'write') {
      const said = await tryMessage(world, threadOf(tie), me, 'Words');
      expect(outcome(said)).toBe(expectWritten(tie, who));
    } else if (kind === 'block') {
      const blocked = await world.call('POST /blocks', { token: me.token, body: { user_id: peer.id } });
      expect(outcome(blocked)).toBe(expectBlocked(tie, who));
    } else if (kind === 'unblock') {
      const { status } = await world.call(`DELETE /blocks/${peer.id}`, { token: me.token });
      expect(status).toBe(tie.blocks[who] ? 204 : 404);
      tie.blocks[who] = false;
    } else {
      const answered = await answerRequest(world, threadOf(tie), me, kind);
      expect(outcome(answered)).toBe(expectAnswered(tie, who, kind === 'accept' ? 'active' : 'declined'));
    }
  }

  /** What each of the two sees is what the model says. */
  async function compare(tie: Tie, who: Side): Promise<void> {
    const me = pair[who];
    const { status, body } = await world.call(`GET /dm/threads/${threadOf(tie).id}`, { token: me.token });
    const listed = await itemsOf(world, '/dm/threads', me);
    const { body: count } = await world.call('GET /dm/unread-count', { token: me.token });
    expect(status).toBe(sees(tie, who) ? 200 : 404);
    if (!sees(tie, who)) {
      expect([listed, count]).toEqual([[], { count: 0, pending: 0 }]);
      return;
    }
    const is_mine = tie.initiator === who;
    const is_quiet = tie.state === 'declined' && is_mine;
    expect([body.state, body.initiated_by_me]).toEqual([is_quiet ? 'pending' : tie.state, is_mine]);
    if (tie.state !== 'active') expect(body.peer_read_up_to).toBeNull();
    expect(await threadTexts(world, threadOf(tie), me)).toHaveLength(tie.words);
    if (tie.words === 0) return;
    expect(listed).toEqual(tie.state === 'declined' && !is_mine ? [] : [body]);
    const is_asked = tie.state === 'pending' && !is_mine;
    expect(count.pending).toBe(is_asked ? 1 : 0);
    if (tie.state === 'active') expect(count.count).toBe(body.unread_count);
  }

  it('is what the model says, over random moves', async () => {
    const kinds: Kind[] = ['open', 'write', 'write', 'accept', 'decline', 'block', 'unblock', 'unblock'];
    const moves = fc.array(fc.record({ who: fc.constantFrom<Side>(0, 1), kind: fc.constantFrom(...kinds) }), {
      minLength: 10,
      maxLength: 30,
      size: 'max',
    });
    let active = 0;
    await fc.assert(
      fc.asyncProperty(moves, async (run) => {
        await world.app.services.db.native.query('delete from dm_threads');
        await world.app.services.db.native.query('delete from blocks');
        const tie: Tie = {
          seen: [false, false],
          blocks: [false, false],
          initiator: 0,
          state: 'pending',
          decided: false,
          words: 0,
        };
        for (const { who, kind } of run) {
          await move(tie, who, kind);
          for (const side of [0, 1] as const) await compare(tie, side);
          if (tie.state === 'active') active += 1;
        }
      }),
      { numRuns: 40 },
    );
    expect(active).toBeGreaterThan(20);
  });
});
