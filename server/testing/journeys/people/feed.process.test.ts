/** The feed equals its definition after any operation of people and operators (N9, M13). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldLabelChanges } from '../../../domain/accounts/label-changes.ts';
import { from_statuses } from '../../../domain/social/statuses.ts';
import { maySeeStatus } from '../../../domain/visibility/statuses.ts';
import type { Viewer } from '../../../domain/visibility/viewer.ts';
import { selectFeed } from '../../../features/statuses/rules/feed.ts';
import { sql, type Sql } from '../../../kernel/database/database.ts';
import { actOnRequest } from '../../steps/follows.ts';
import { findPersonas, register, type Persona } from '../../world/personas.ts';
import { createWorld, openNode, type World } from '../../world/world.ts';

type Row = { id: string };
const columns = { of_all: sql`s.id` };

type Content = { tags: string[]; statuses: string[] };

/** One of many things that happen; the tag and the status are undefined while there is none. */
type Move = {
  actor: Persona;
  target: Persona;
  at: number;
  content: Content;
  tag: string | undefined;
  status: string | undefined;
  /** Sends a request of the actor. */
  request: (route: string, body?: object) => ReturnType<World['call']>;
};

const visibilityOf = (at: number) => (at % 2 ? 'public' : 'followers');

/** The definition of the feed as SQL that reads every status: selectFeed must be equal to it. */
const feedDefinition = (viewer: Viewer): Sql => sql`
  select s.id from ${from_statuses}
  where ${maySeeStatus(viewer.id)} and (s.author_id = ${viewer.id} or exists (
    select 1 from follows f where f.follower_id = ${viewer.id}
      and (f.tag_id = s.tag_id or (s.tag_id is null and f.owner_id = s.author_id))))
  order by s.id desc`;

describe('the feed', () => {
  let world: World;
  /** A second node, which makes no changes. */
  let node: World;
  let people: Persona[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob, carol } = findPersonas();
    people = [alice, bob, carol, await register(world, 'dave', 40)];
    node = await openNode(world);
  });
  afterAll(async () => {
    await node.close();
    await world.close();
  });

  /** Compares pages of every size, selected in each way, with the definition of the feed. */
  async function compare(reader: Persona): Promise<void> {
    const { services } = world.app;
    const viewer = { id: reader.id, now: services.clock.now(), services };
    const expected = (await services.db.many<{ id: string }>(feedDefinition(viewer))).map(({ id }) => id);
    const narrow_bounds = { few: 100, recent: 1000, newest: 4 };
    for (const bounds of [undefined, narrow_bounds, { few: 0, recent: 6, newest: 4 }]) {
      // Another node, whose cache is empty.
      viewer.services = { ...services };
      for (const limit of [2, 7]) {
        const actual: string[] = [];
        let page: { limit: number; before_id?: string } = { limit };
        for (;;) {
          const rows = await selectFeed<Row>(services.db, page, viewer, columns, bounds);
          actual.push(...rows.slice(0, limit).map(({ id }) => id));
          if (rows.length <= limit) break;
          page = { limit, before_id: actual.at(-1) as string };
        }
        expect(actual).toEqual(expected);
        // The same by offset, each as on a node with an empty cache.
        for (const offset of [1, 3]) {
          viewer.services = { ...services };
          const rows = await selectFeed<Row>(services.db, { limit, offset }, viewer, columns, bounds);
          expect([offset, rows.slice(0, limit).map(({ id }) => id)]).toEqual([
            offset,
            expected.slice(offset, offset + limit),
          ]);
        }
      }
    }
  }

  /**
   * On both nodes the feed contains the statuses of its definition, and each equals the single status, however often it was
   * fetched before.
   */
  async function compareTexts({ id, token }: Persona): Promise<void> {
    const { services } = world.app;
    const viewer = { id, now: services.clock.now(), services };
    const ids = (await services.db.many<{ id: string }>(feedDefinition(viewer))).map((row) => row.id).slice(0, 100);
    const singles = await Promise.all(
      ids.map(async (status_id) => {
        const { body } = await world.call(`GET /statuses/${status_id}`, { token });
        const { edits: _edits, edit_count: _count, ...status } = body;
        return status;
      }),
    );
    for (const one of [world, node]) {
      expect((await one.call('GET /feed?limit=100', { token })).body.items).toEqual(singles);
      // Full pages are read by another query than those that are all there is.
      expect((await one.call('GET /feed?limit=3', { token })).body.items).toEqual(singles.slice(0, 3));
    }
  }

  /** Expires the changes of labels that nodes may not have read yet. */
  const forgetLabelChanges = () => deleteOldLabelChanges(world.app.services.db, new Date(Date.now() + 60_000), 1000);

  /** Hides or suspends something, or ends that. */
  const toggle = (table: string, column: string, id: string | undefined) =>
    world.app.services.db.native.query(
      `update ${table} set ${column} = case when ${column} is null then now() end where id = $1`,
      [id],
    );

  /** What may happen, as often as it is listed in `kinds`. @param at decides between the variants of a move */
  const moves: Record<string, (move: Move) => Promise<unknown>> = {
    async createTag({ request, at, content }) {
      const policy = at % 3 ? 'open' : 'approval';
      const created = await request('POST /xtags', { name: `t${content.tags.length}-${at}`, follow_policy: policy });
      if (created.status === 201) content.tags.push(created.body.id);
    },
    async post({ request, at, content }) {
      const own = (await request('GET /xtags?limit=100')).body.items as { id: string }[];
      const tag_id = own[at % (own.length + 1)]?.id ?? null;
      const created = await request('POST /statuses', { body: `${at}`, tag_id, visibility: visibilityOf(at) });
      content.statuses.push(created.body.id);
    },
    follow: async ({ request, tag }) => tag && request(`PUT /xtags/${tag}/follow`, {}),
    unfollow: async ({ request, tag }) => tag && request(`DELETE /xtags/${tag}/follow`),
    async decideOnFollowers({ request, actor, at }) {
      for (const one of (await request('GET /follow-requests')).body.items)
        await actOnRequest(world, one, actor, at % 2 ? 'accept' : 'decline');
    },
    deleteStatus: async ({ request, status }) => status && request(`DELETE /statuses/${status}`),
    changeVisibility: async ({ request, status, at }) =>
      status && request(`PATCH /statuses/${status}`, { visibility: visibilityOf(at) }),
    block: ({ request, target, at }) =>
      at % 3 ? request(`DELETE /blocks/${target.id}`) : request('POST /blocks', { user_id: target.id }),
    async changeTag({ request, tag, at }) {
      if (!tag) return;
      if (at % 5 === 0) await request(`DELETE /xtags/${tag}`);
      else await request(`PATCH /xtags/${tag}`, { visibility: ['public', 'unlisted', 'private'][at % 3] });
    },
    async hide({ status, tag, target, actor, at }) {
      if (at % 3 === 0) await toggle('statuses', 'hidden_at', status);
      else if (at % 3 === 1) await toggle('tags', 'hidden_at', tag);
      else if (target.id !== actor.id) await toggle('users', 'suspended_at', target.id);
    },
    renamePerson: ({ request, at }) => request('PATCH /me', { display_name: `${at}` }),
    like: async ({ request, status, at }) =>
      status && (at % 2 ? request(`PUT /statuses/${status}/like`, {}) : request(`DELETE /statuses/${status}/like`)),
    reply: async ({ request, status, at }) => status && request(`POST /statuses/${status}/replies`, { body: `${at}` }),
    editStatus: async ({ request, status, at }) =>
      status && request(`PATCH /statuses/${status}`, { body: `edited ${at}` }),
    renameTag: async ({ request, tag, at }) => tag && request(`PATCH /xtags/${tag}`, { title: `title ${at}` }),
    forgetLabelChanges,
    read: ({ actor }) => compareTexts(actor),
  };
  const kinds = ['post', 'post', 'follow', 'follow', ...Object.keys(moves)];
  const person = fc.nat(3);
  const move = fc.record({ kind: fc.constantFrom(...kinds), who: person, other: person, at: fc.nat(1000) });

  async function apply(
    { kind, who, other, at }: { kind: string; who: number; other: number; at: number },
    content: Content,
  ) {
    const [actor, target] = [people[who] as Persona, people[other] as Persona];
    const { token } = actor;
    await moves[kind]?.({
      actor,
      target,
      at,
      content,
      tag: content.tags[at % Math.max(1, content.tags.length)],
      status: content.statuses[at % Math.max(1, content.statuses.length)],
      request: (route, body) => world.call(route, { token, ...(body ? { body } : {}) }),
    });
  }

  it('equals its definition for every person, after any operations', async () => {
    const content: Content = { tags: [], statuses: [] };
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 30, maxLength: 30 }), async (steps) => {
        await world.app.services.db.native.query('update users set suspended_at = null');
        for (const next of steps) await apply(next, content);
        for (const reader of people) await compare(reader);
        for (const reader of people) await compareTexts(reader);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    expect(content.statuses.length).toBeGreaterThan(100);
  });
});
