/** The follow graph against a model: requests, denials, their terms and their undoing by random moves (M14, N22). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, follow, itemsOf, createTag } from '../following.ts';
import { findPersonas, advanceDays, type Persona } from '../personas.ts';
import { createWorld, type World } from '../world.ts';

/** What stands between one person and one tag, in days of the model's clock. */
type Tie = {
  follows: boolean;
  /** The request that looks pending to the asker, and whether the owner has declined it. */
  request?: { id: string; made: number; declined: boolean };
  /** Since when a denial holds, whatever the asker does. */
  denied?: number;
};

const term_days = 30;

describe('the follow graph', () => {
  let world: World;
  let owner: Persona;
  let askers: Persona[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob, carol } = findPersonas();
    [owner, askers] = [alice, [bob, carol]];
  });
  afterAll(() => world.close());

  type Run = { tag: { id: string }; open: boolean; day: number; ties: Map<string, Tie> };
  type Move = {
    kind: 'follow' | 'unfollow' | 'cancel' | 'accept' | 'decline' | 'undo' | 'remove' | 'switch' | 'block' | 'wait';
    who: number;
    days: number;
  };

  const tieOf = (run: Run, who: Persona) => run.ties.get(who.id) as Tie;
  const alive = (run: Run, made: number) => run.day - made < term_days;

  const moves: Record<Move['kind'], (run: Run, who: Persona, move: Move) => Promise<void>> = {
    async follow(run, who) {
      const tie = tieOf(run, who);
      const { status, body } = await follow(world, run.tag, who);
      if (tie.follows || run.open) {
        expect([status, body]).toEqual([200, { state: 'following' }]);
        if (!tie.follows) delete tie.request;
        tie.follows = true;
        return;
      }
      expect([status, body.request.state, body.request.decided_at]).toEqual([202, 'pending', null]);
      if (tie.request && alive(run, tie.request.made)) {
        expect(body.request.id).toBe(tie.request.id);
        return;
      }
      const declined = tie.denied !== undefined && alive(run, tie.denied);
      tie.request = { id: body.request.id, made: run.day, declined };
    },
    async unfollow(run, who) {
      const tie = tieOf(run, who);
      expect((await world.call(`DELETE /xtags/${run.tag.id}/follow`, { token: who.token })).status).toBe(204);
      tie.follows = false;
      delete tie.request;
    },
    async cancel(run, who) {
      const tie = tieOf(run, who);
      if (!tie.request) return;
      const { body } = await actOnRequest(world, tie.request, who, 'cancel');
      if (!alive(run, tie.request.made)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('cancelled');
        delete tie.request;
      }
    },
    async accept(run, who) {
      const tie = tieOf(run, who);
      if (!tie.request) return;
      const { body } = await actOnRequest(world, tie.request, owner, 'accept');
      if (tie.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!alive(run, tie.request.made)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('accepted');
        Object.assign(tie, { follows: true });
        delete tie.request;
        delete tie.denied;
      }
    },
    async decline(run, who) {
      const tie = tieOf(run, who);
      if (!tie.request) return;
      const { body } = await actOnRequest(world, tie.request, owner, 'decline');
      if (tie.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!alive(run, tie.request.made)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('declined');
        tie.request.declined = true;
        tie.denied = run.day;
      }
    },
    async undo(run, who) {
      const tie = tieOf(run, who);
      if (!tie.request) return;
      const { body } = await actOnRequest(world, tie.request, owner, 'undo');
      if (!tie.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!alive(run, tie.request.made)) expect(body.error.code).toBe('gone');
      else {
        expect(body).toMatchObject({ state: 'pending', decided_at: null });
        tie.request.declined = false;
        delete tie.denied;
      }
    },
    async remove(run, who) {
      const tie = tieOf(run, who);
      const { status } = await world.call(`DELETE /followers/${who.id}`, { token: owner.token });
      expect(status).toBe(tie.follows ? 204 : 404);
      tie.follows = false;
    },
    async switch(run) {
      run.open = !run.open;
      const body = { follow_policy: run.open ? 'open' : 'approval' };
      await world.call(`PATCH /xtags/${run.tag.id}`, { token: owner.token, body });
    },
    async block(run, who) {
      await world.call('POST /blocks', { token: owner.token, body: { user_id: who.id } });
      await world.call(`DELETE /blocks/${who.id}`, { token: owner.token });
      const tie = tieOf(run, who);
      tie.follows = false;
      delete tie.request;
    },
    async wait(run, _who, { days }) {
      await advanceDays(world, days);
      run.day += days + 1 / 86_400;
    },
  };

  async function compare(run: Run): Promise<void> {
    const ids = async (path: string, who: Persona) =>
      (await itemsOf(world, path, who)).map(({ id }: { id: string }) => id);
    const followers = askers.filter((one) => tieOf(run, one).follows).map(({ id }) => id);
    const listed = await itemsOf(world, `/xtags/${run.tag.id}/followers`, owner);
    expect(listed.map(({ user }: { user: Persona }) => user.id).toSorted()).toEqual(followers.toSorted());
    const seen = (await world.call(`GET /xtags/${run.tag.id}`, { token: owner.token })).body;
    expect(seen.follower_count).toBe(followers.length);
    const waiting: string[] = [];
    for (const one of askers) {
      const { request, follows } = tieOf(run, one);
      const looks_pending = request !== undefined && alive(run, request.made);
      expect(await ids('/follow-requests/outgoing', one)).toEqual(looks_pending ? [request.id] : []);
      const tag = (await world.call(`GET /xtags/${run.tag.id}`, { token: one.token })).body;
      expect([tag.following, tag.requested]).toEqual([follows, looks_pending]);
      if (looks_pending && !request.declined) waiting.push(request.id);
    }
    expect((await ids('/follow-requests', owner)).toSorted()).toEqual(waiting.toSorted());
    const count = (await world.call('GET /follow-requests/count', { token: owner.token })).body;
    expect(count).toEqual({ count: waiting.length });
    const told = (await itemsOf(world, '/notifications', owner)).filter(
      ({ kind }: { kind: string }) => kind === 'follow_request',
    );
    expect(told.reduce((sum: number, one: { actor_count: number }) => sum + one.actor_count, 0)).toBeLessThanOrEqual(2);
  }

  it('goes as the model goes', async () => {
    const kinds = Object.keys(moves) as Move['kind'][];
    const weighted = fc.oneof(
      { weight: 3, arbitrary: fc.constant('follow' as const) },
      { weight: 7, arbitrary: fc.constantFrom(...kinds) },
    );
    const move = fc.record({ kind: weighted, who: fc.nat(1), days: fc.integer({ min: 1, max: 20 }) });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 25, maxLength: 25 }), async (sequence) => {
        const tag = await createTag(world, owner, `graph-${made++}`, { follow_policy: 'approval' });
        const run: Run = { tag, open: false, day: 0, ties: new Map(askers.map(({ id }) => [id, { follows: false }])) };
        for (const one of sequence) {
          await moves[one.kind](run, askers[one.who] as Persona, one);
          await compare(run);
        }
        await world.call(`DELETE /xtags/${tag.id}`, { token: owner.token });
        await world.settle();
      }),
      { numRuns: 15, endOnFailure: true },
    );
    expect(made).toBe(15);
  });
});
