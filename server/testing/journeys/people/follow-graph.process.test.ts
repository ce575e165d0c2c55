/**
 * The follow graph compared with a model: requests, denials, their terms and their undoing by random operations (M14,
 * N22).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, follow, itemsOf, createTag } from '../../steps/follows.ts';
import { findPersonas, advanceDays, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

/** The relation of a person and a tag, with times in days of the model's clock. */
type Relation = {
  follows: boolean;
  /** The request that is pending for the requester, and whether the owner has declined it. */
  request?: { id: string; created_day: number; declined: boolean };
  /** Since when a denial is in force, whatever the requester does. */
  denied?: number;
};

const term_days = 30;

describe('the follow graph', () => {
  let world: World;
  let owner: Persona;
  let requesters: Persona[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob, carol } = findPersonas();
    [owner, requesters] = [alice, [bob, carol]];
  });
  afterAll(() => world.close());

  type Run = { tag: { id: string }; open: boolean; day: number; relations: Map<string, Relation> };
  type Operation = {
    kind: 'follow' | 'unfollow' | 'cancel' | 'accept' | 'decline' | 'undo' | 'remove' | 'switch' | 'block' | 'wait';
    actor: number;
    days: number;
  };

  const relationOf = (run: Run, actor: Persona) => run.relations.get(actor.id) as Relation;
  const isActive = (run: Run, created_day: number) => run.day - created_day < term_days;

  const operations: Record<Operation['kind'], (run: Run, actor: Persona, move: Operation) => Promise<void>> = {
    async follow(run, actor) {
      const relation = relationOf(run, actor);
      const { status, body } = await follow(world, run.tag, actor);
      if (relation.follows || run.open) {
        expect([status, body]).toEqual([200, { state: 'following' }]);
        if (!relation.follows) delete relation.request;
        relation.follows = true;
        return;
      }
      expect([status, body.request.state, body.request.decided_at]).toEqual([202, 'pending', null]);
      if (relation.request && isActive(run, relation.request.created_day)) {
        expect(body.request.id).toBe(relation.request.id);
        return;
      }
      const declined = relation.denied !== undefined && isActive(run, relation.denied);
      relation.request = { id: body.request.id, created_day: run.day, declined };
    },
    async unfollow(run, actor) {
      const relation = relationOf(run, actor);
      expect((await world.call(`DELETE /xtags/${run.tag.id}/follow`, { token: actor.token })).status).toBe(204);
      relation.follows = false;
      delete relation.request;
    },
    async cancel(run, actor) {
      const relation = relationOf(run, actor);
      if (!relation.request) return;
      const { body } = await actOnRequest(world, relation.request, actor, 'cancel');
      if (!isActive(run, relation.request.created_day)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('cancelled');
        delete relation.request;
      }
    },
    async accept(run, actor) {
      const relation = relationOf(run, actor);
      if (!relation.request) return;
      const { body } = await actOnRequest(world, relation.request, owner, 'accept');
      if (relation.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!isActive(run, relation.request.created_day)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('accepted');
        Object.assign(relation, { follows: true });
        delete relation.request;
        delete relation.denied;
      }
    },
    async decline(run, actor) {
      const relation = relationOf(run, actor);
      if (!relation.request) return;
      const { body } = await actOnRequest(world, relation.request, owner, 'decline');
      if (relation.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!isActive(run, relation.request.created_day)) expect(body.error.code).toBe('gone');
      else {
        expect(body.state).toBe('declined');
        relation.request.declined = true;
        relation.denied = run.day;
      }
    },
    async undo(run, actor) {
      const relation = relationOf(run, actor);
      if (!relation.request) return;
      const { body } = await actOnRequest(world, relation.request, owner, 'undo');
      if (!relation.request.declined) expect(body.error.code).toBe('already_decided');
      else if (!isActive(run, relation.request.created_day)) expect(body.error.code).toBe('gone');
      else {
        expect(body).toMatchObject({ state: 'pending', decided_at: null });
        relation.request.declined = false;
        delete relation.denied;
      }
    },
    async remove(run, actor) {
      const relation = relationOf(run, actor);
      const { status } = await world.call(`DELETE /followers/${actor.id}`, { token: owner.token });
      expect(status).toBe(relation.follows ? 204 : 404);
      relation.follows = false;
    },
    async switch(run) {
      run.open = !run.open;
      const body = { follow_policy: run.open ? 'open' : 'approval' };
      await world.call(`PATCH /xtags/${run.tag.id}`, { token: owner.token, body });
    },
    async block(run, actor) {
      await world.call('POST /blocks', { token: owner.token, body: { user_id: actor.id } });
      await world.call(`DELETE /blocks/${actor.id}`, { token: owner.token });
      const relation = relationOf(run, actor);
      relation.follows = false;
      delete relation.request;
    },
    async wait(run, _who, { days }) {
      await advanceDays(world, days);
      run.day += days + 1 / 86_400;
    },
  };

  async function compare(run: Run): Promise<void> {
    const ids = async (path: string, actor: Persona) =>
      (await itemsOf(world, path, actor)).map(({ id }: { id: string }) => id);
    const followers = requesters.filter((requester) => relationOf(run, requester).follows).map(({ id }) => id);
    const listed = await itemsOf(world, `/xtags/${run.tag.id}/followers`, owner);
    expect(listed.map(({ user }: { user: Persona }) => user.id).toSorted()).toEqual(followers.toSorted());
    const tag_body = (await world.call(`GET /xtags/${run.tag.id}`, { token: owner.token })).body;
    expect(tag_body.follower_count).toBe(followers.length);
    const pending: string[] = [];
    for (const requester of requesters) {
      const { request, follows } = relationOf(run, requester);
      const looks_pending = request !== undefined && isActive(run, request.created_day);
      expect(await ids('/follow-requests/outgoing', requester)).toEqual(looks_pending ? [request.id] : []);
      const tag = (await world.call(`GET /xtags/${run.tag.id}`, { token: requester.token })).body;
      expect([tag.following, tag.requested]).toEqual([follows, looks_pending]);
      if (looks_pending && !request.declined) pending.push(request.id);
    }
    expect((await ids('/follow-requests', owner)).toSorted()).toEqual(pending.toSorted());
    const count = (await world.call('GET /follow-requests/count', { token: owner.token })).body;
    expect(count).toEqual({ count: pending.length });
    const notifications = (await itemsOf(world, '/notifications', owner)).filter(
      ({ kind }: { kind: string }) => kind === 'follow_request',
    );
    expect(
      notifications.reduce((sum: number, { actor_count }: { actor_count: number }) => sum + actor_count, 0),
    ).toBeLessThanOrEqual(2);
  }

  it('equals the model after every operation', async () => {
    const kinds = Object.keys(operations) as Operation['kind'][];
    const weighted = fc.oneof(
      { weight: 3, arbitrary: fc.constant('follow' as const) },
      { weight: 7, arbitrary: fc.constantFrom(...kinds) },
    );
    const move = fc.record({ kind: weighted, actor: fc.nat(1), days: fc.integer({ min: 1, max: 20 }) });
    let tag_count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 25, maxLength: 25 }), async (sequence) => {
        const tag = await createTag(world, owner, `graph-${tag_count++}`, { follow_policy: 'approval' });
        const run: Run = {
          tag,
          open: false,
          day: 0,
          relations: new Map(requesters.map(({ id }) => [id, { follows: false }])),
        };
        for (const next of sequence) {
          await operations[next.kind](run, requesters[next.actor] as Persona, next);
          await compare(run);
        }
        await world.call(`DELETE /xtags/${tag.id}`, { token: owner.token });
        await world.settle();
      }),
      { numRuns: 15, endOnFailure: true },
    );
    expect(tag_count).toBe(15);
  });
});
