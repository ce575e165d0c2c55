/** The feed equals its definition after anything that people and operators may do (N9, M13). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { from_statuses } from '../../domain/social/statuses.ts';
import { maySeeStatus } from '../../domain/visibility/statuses.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { selectFeed } from '../../features/statuses/rules/feed.ts';
import { sql, type Sql } from '../../kernel/database/database.ts';
import { actOnRequest } from '../following.ts';
import { findPersonas, register, type Persona } from '../personas.ts';
import { createWorld, type World } from '../world.ts';

type Row = { id: string };
const columns = sql`s.id`;

type Place = { tags: string[]; statuses: string[] };

/** The feed as a sentence of SQL that looks at every status: what selectFeed must equal. */
const feedDefinition = (viewer: Viewer): Sql => sql`
  select s.id from ${from_statuses}
  where ${maySeeStatus(viewer.id)} and (s.author_id = ${viewer.id} or exists (
    select 1 from follows f where f.follower_id = ${viewer.id}
      and (f.tag_id = s.tag_id or (s.tag_id is null and f.owner_id = s.author_id))))
  order by s.id desc`;

describe('the feed', () => {
  let world: World;
  let people: Persona[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    const { alice, bob, carol } = findPersonas();
    people = [alice, bob, carol, await register(world, 'dave', 40)];
  });
  afterAll(() => world.close());

  /** Pages of every size, by each way of finding them, against the one sentence that defines the feed. */
  async function compare(reader: Persona): Promise<void> {
    const { services } = world.app;
    const viewer = { id: reader.id, now: services.clock.now(), services };
    const wanted = (await services.db.many<{ id: string }>(feedDefinition(viewer))).map(({ id }) => id);
    const narrow = { few: 100, recent: 1000, newest: 4 };
    for (const bounds of [undefined, narrow, { few: 0, recent: 6, newest: 4 }]) {
      // Another node, which knows no reader yet.
      viewer.services = { ...services };
      for (const limit of [2, 7]) {
        const served: string[] = [];
        let page: { limit: number; before_id?: string } = { limit };
        for (;;) {
          const rows = await selectFeed<Row>(services.db, page, viewer, columns, bounds);
          served.push(...rows.slice(0, limit).map(({ id }) => id));
          if (rows.length <= limit) break;
          page = { limit, before_id: served.at(-1) as string };
        }
        expect(served).toEqual(wanted);
        // The same by how many are passed over, each asked as by a node that knows no reader.
        for (const offset of [1, 3]) {
          viewer.services = { ...services };
          const rows = await selectFeed<Row>(services.db, { limit, offset }, viewer, columns, bounds);
          expect([offset, rows.slice(0, limit).map(({ id }) => id)]).toEqual([
            offset,
            wanted.slice(offset, offset + limit),
          ]);
        }
      }
    }
  }

  /** What is shown of each status is what it is by itself, however often it was shown before. */
  async function compareTexts({ token }: Persona): Promise<void> {
    const { body } = await world.call('GET /feed?limit=100', { token });
    for (const item of body.items) {
      const {
        edits: _edits,
        edit_count: _count,
        ...status
      } = (await world.call(`GET /statuses/${item.id}`, { token })).body;
      expect(item).toEqual(status);
    }
  }

  const person = fc.nat(3);
  const pick = fc.nat(1000);
  const move = fc.record({ kind: fc.nat(17), who: person, other: person, pick });

  async function apply(
    { kind, who, other, pick: at }: { kind: number; who: number; other: number; pick: number },
    place: Place,
  ) {
    const [me, you] = [people[who] as Persona, people[other] as Persona];
    const tag = place.tags[at % Math.max(1, place.tags.length)];
    const status = place.statuses[at % Math.max(1, place.statuses.length)];
    const { token } = me;
    const ask = (route: string, body?: object) => world.call(route, { token, ...(body ? { body } : {}) });
    const mark = (table: string, column: string, id: string | undefined) =>
      world.app.services.db.native.query(
        `update ${table} set ${column} = case when ${column} is null then now() end where id = $1`,
        [id],
      );
    const own = (await ask('GET /xtags?limit=100')).body.items.map(({ id }: { id: string }) => id);
    if (kind === 0) {
      const made = await ask('POST /xtags', {
        name: `t${place.tags.length}-${at}`,
        follow_policy: at % 3 ? 'open' : 'approval',
      });
      if (made.status === 201) place.tags.push(made.body.id);
    } else if (kind <= 3) {
      const visibility = at % 2 ? 'public' : 'followers';
      const made = await ask('POST /statuses', {
        body: `${at}`,
        tag_id: own[at % (own.length + 1)] ?? null,
        visibility,
      });
      place.statuses.push(made.body.id);
    } else if (kind <= 6 && tag) await ask(`PUT /xtags/${tag}/follow`, {});
    else if (kind === 7 && tag) await ask(`DELETE /xtags/${tag}/follow`);
    else if (kind === 8) {
      for (const request of (await ask('GET /follow-requests')).body.items)
        await actOnRequest(world, request, me, at % 2 ? 'accept' : 'decline');
    } else if (kind === 9 && status) await ask(`DELETE /statuses/${status}`);
    else if (kind === 10 && status)
      await ask(`PATCH /statuses/${status}`, { visibility: at % 2 ? 'public' : 'followers' });
    else if (kind === 11)
      await ask(at % 3 ? `DELETE /blocks/${you.id}` : 'POST /blocks', at % 3 ? undefined : { user_id: you.id });
    else if (kind === 12 && tag) {
      if (at % 5 === 0) await ask(`DELETE /xtags/${tag}`);
      else await ask(`PATCH /xtags/${tag}`, { visibility: ['public', 'unlisted', 'private'][at % 3] });
    } else if (kind === 14) await ask('PATCH /me', { display_name: `${at}` });
    else if (kind === 15 && status)
      await ask(`${at % 2 ? 'PUT' : 'DELETE'} /statuses/${status}/like`, at % 2 ? {} : undefined);
    else if (kind === 16 && status) await ask(`POST /statuses/${status}/replies`, { body: `${at}` });
    else if (kind === 17 && status) await ask(`PATCH /statuses/${status}`, { body: `edited ${at}` });
    else if (at % 3 === 0) await mark('statuses', 'hidden_at', status);
    else if (at % 3 === 1) await mark('tags', 'hidden_at', tag);
    else if (you.id !== me.id) await mark('users', 'suspended_at', you.id);
  }

  it('equals its definition for everybody, whatever happened before', async () => {
    const place: Place = { tags: [], statuses: [] };
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 30, maxLength: 30 }), async (moves) => {
        await world.app.services.db.native.query('update users set suspended_at = null');
        for (const one of moves) await apply(one, place);
        if (moves.length % 2) await world.settle();
        for (const reader of people) await compare(reader);
        for (const reader of people) await compareTexts(reader);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    expect(place.statuses.length).toBeGreaterThan(100);
  });
});
