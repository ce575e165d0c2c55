/** A thread compared with a model: openings, messages, decisions, blocks and unblocks in any order (M11, M12, N22). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../steps/follows.ts';
import { answerRequest, threadTexts, tryMessage } from '../../steps/messages.ts';
import { findPersonas, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

type Side = 0 | 1;
type Kind = 'open' | 'write' | 'accept' | 'decline' | 'block' | 'unblock';

/** The state between two people who do not know each other. */
type ThreadModel = {
  id?: string;
  visible_to: [boolean, boolean];
  blocks: [boolean, boolean];
  initiator: Side;
  state: 'pending' | 'active' | 'declined';
  decided: boolean;
  message_count: number;
};

const other = (actor: Side): Side => (actor === 0 ? 1 : 0);
const isBlockedPair = ({ blocks }: ThreadModel) => blocks[0] || blocks[1];
const canSee = (model: ThreadModel, actor: Side) =>
  model.id !== undefined && model.visible_to[actor] && !isBlockedPair(model);

describe('a thread', () => {
  let world: World;
  let pair: [Persona, Persona];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob } = findPersonas();
    pair = [alice, bob];
  });
  afterAll(() => world.close());

  const threadOf = ({ id = `thr_${'0'.repeat(26)}` }: ThreadModel) => ({ id });

  function expectWritten(model: ThreadModel, actor: Side): string {
    if (!canSee(model, actor)) return '404 not_found';
    const is_first = model.message_count === 0 && !model.decided;
    if (!is_first && model.state !== 'active' && model.initiator === actor) return '409 thread_pending';
    if (is_first) [model.initiator, model.state, model.visible_to] = [actor, 'pending', [true, true]];
    else if (model.state !== 'active') [model.state, model.decided] = ['active', true];
    model.message_count += 1;
    return '201 done';
  }

  function expectAnswered(model: ThreadModel, actor: Side, state: 'active' | 'declined'): string {
    if (!canSee(model, actor)) return '404 not_found';
    if (model.initiator === actor) return '403 forbidden';
    if (model.state !== 'pending') return '409 already_decided';
    [model.state, model.decided] = [state, true];
    return '200 done';
  }

  function expectBlocked(model: ThreadModel, actor: Side): string {
    if (model.blocks[actor]) return '200 done';
    model.blocks[actor] = true;
    if (model.message_count === 0) [model.state, model.decided] = ['pending', false];
    else {
      if (model.state === 'active') model.initiator = other(actor);
      [model.state, model.decided] = ['declined', true];
    }
    return '201 done';
  }

  async function execute(model: ThreadModel, actor: Side, kind: Kind): Promise<void> {
    const [persona, peer] = [pair[actor], pair[other(actor)]];
    const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      `${status} ${body.error?.code ?? 'done'}`;
    if (kind === 'open') {
      const opened = await world.call('POST /dm/threads', { token: persona.token, body: { user_id: peer.id } });
      expect(outcome(opened)).toBe(isBlockedPair(model) ? '422 validation_failed' : model.id ? '200 done' : '201 done');
      if (isBlockedPair(model)) return;
      if (model.id === undefined) [model.id, model.initiator] = [opened.body.id, actor];
      expect(opened.body.id).toBe(model.id);
      model.visible_to[actor] = true;
    } else if (kind === 'write') {
      const sent = await tryMessage(world, threadOf(model), persona, 'Words');
      expect(outcome(sent)).toBe(expectWritten(model, actor));
    } else if (kind === 'block') {
      const blocked = await world.call('POST /blocks', { token: persona.token, body: { user_id: peer.id } });
      expect(outcome(blocked)).toBe(expectBlocked(model, actor));
    } else if (kind === 'unblock') {
      const { status } = await world.call(`DELETE /blocks/${peer.id}`, { token: persona.token });
      expect(status).toBe(model.blocks[actor] ? 204 : 404);
      model.blocks[actor] = false;
    } else {
      const answered = await answerRequest(world, threadOf(model), persona, kind);
      expect(outcome(answered)).toBe(expectAnswered(model, actor, kind === 'accept' ? 'active' : 'declined'));
    }
  }

  /** Compares what one of the two sees with the model. */
  async function compare(model: ThreadModel, actor: Side): Promise<void> {
    const persona = pair[actor];
    const { status, body } = await world.call(`GET /dm/threads/${threadOf(model).id}`, { token: persona.token });
    const listed = await itemsOf(world, '/dm/threads', persona);
    const { body: count } = await world.call('GET /dm/unread-count', { token: persona.token });
    expect(status).toBe(canSee(model, actor) ? 200 : 404);
    if (!canSee(model, actor)) {
      expect([listed, count]).toEqual([[], { count: 0, pending: 0 }]);
      return;
    }
    const is_mine = model.initiator === actor;
    const is_quiet = model.state === 'declined' && is_mine;
    expect([body.state, body.initiated_by_me]).toEqual([is_quiet ? 'pending' : model.state, is_mine]);
    if (model.state !== 'active') expect(body.peer_read_up_to).toBeNull();
    expect(await threadTexts(world, threadOf(model), persona)).toHaveLength(model.message_count);
    if (model.message_count === 0) return;
    expect(listed).toEqual(model.state === 'declined' && !is_mine ? [] : [body]);
    const is_asked = model.state === 'pending' && !is_mine;
    expect(count.pending).toBe(is_asked ? 1 : 0);
    if (model.state === 'active') expect(count.count).toBe(body.unread_count);
  }

  it('equals the model after random operations', async () => {
    const kinds: Kind[] = ['open', 'write', 'write', 'accept', 'decline', 'block', 'unblock', 'unblock'];
    const moves = fc.array(fc.record({ actor: fc.constantFrom<Side>(0, 1), kind: fc.constantFrom(...kinds) }), {
      minLength: 10,
      maxLength: 30,
      size: 'max',
    });
    let active = 0;
    await fc.assert(
      fc.asyncProperty(moves, async (run) => {
        await world.app.services.db.native.query('delete from dm_threads');
        await world.app.services.db.native.query('delete from blocks');
        const model: ThreadModel = {
          visible_to: [false, false],
          blocks: [false, false],
          initiator: 0,
          state: 'pending',
          decided: false,
          message_count: 0,
        };
        for (const { actor, kind } of run) {
          await execute(model, actor, kind);
          for (const side of [0, 1] as const) await compare(model, side);
          if (model.state === 'active') active += 1;
        }
      }),
      { numRuns: 40 },
    );
    expect(active).toBeGreaterThan(20);
  });
});
