import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteTagContent } from './rules/delete-content.ts';
import { sql } from '../../kernel/database/database.ts';
import { change } from '../../kernel/services.ts';
import { actOnRequest, requestFollow, follow, itemsOf, createTag, tag_settings } from '../../testing/steps/follows.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('DELETE /xtags/{xtag_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    // One of the tests has many requests waiting at once.
    world = await createWorld({ environment: { DATABASE_POOL: '10' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('deletes follows, requests and notifications, and reserves the name for 30 days', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'doomed');
    await follow(world, tag, bob);
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { follow_policy: 'approval' } });
    await requestFollow(world, tag, carol);
    const gone = await world.call(`DELETE /xtags/${tag.id}`, { token: alice.token });
    expect([gone.status, gone.body]).toEqual([204, '']);
    for (const { token } of [alice, bob])
      expect((await world.call(`GET /xtags/${tag.id}`, { token })).status).toBe(404);
    const expectNothingListed = async () => {
      expect(await itemsOf(world, '/follows', bob)).toEqual([]);
      expect(await itemsOf(world, '/followers', alice)).toEqual([]);
      expect(await itemsOf(world, '/follow-requests', alice)).toEqual([]);
      expect(await itemsOf(world, '/follow-requests/outgoing', carol)).toEqual([]);
    };
    await expectNothingListed();
    await world.settle();
    await expectNothingListed();
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    const remaining = await world.app.services.db.native.query(
      'select count(*)::int as n from follows where tag_id = $1',
      [tag.id],
    );
    expect(remaining.rows[0].n).toBe(0);
    const again = () => world.call('POST /xtags', { token: bob.token, body: { name: 'doomed' } });
    expect((await again()).body.error.code).toBe('tag_taken');
    await advanceDays(world, 30);
    expect((await again()).status).toBe(201);
  });

  it('leaves no text in the row that reserves the name', async () => {
    const { native } = world.app.services.db;
    const tag = await createTag(world, people.alice, 'wordy', tag_settings);
    await world.call(`DELETE /xtags/${tag.id}`, { token: people.alice.token });
    await world.settle();
    const { rows } = await native.query<{ column: string }>(`
      select column_name as column from information_schema.columns where table_name = 'tags' and data_type = 'text'
        and column_name not in ('id', 'owner_id', 'name', 'visibility', 'follow_policy', 'searched')`);
    expect(rows.length).toBeGreaterThan(1);
    const row = (await native.query('select * from tags where id = $1', [tag.id])).rows[0];
    const hint = 'blank it in the last statement of purgePortion (rules/delete-content.ts)';
    for (const { column } of rows) expect(row[column], `tags.${column}: ${hint}`).toBe('');
  });

  it('rejects requests that arrive during the deletion', async () => {
    const { alice, bob, carol } = people;
    const open = await createTag(world, alice, 'going');
    const closed = await createTag(world, alice, 'going-too', { follow_policy: 'approval' });
    const request = await requestFollow(world, closed, bob);
    let answers: Promise<{ status: number }[]> | undefined;
    await change(world.app.services, async (deletion) => {
      await deletion.db.run(sql`select 1 from tags where owner_id = ${alice.id} order by id for update`);
      answers = Promise.all([
        follow(world, open, bob),
        follow(world, closed, carol),
        actOnRequest(world, request, alice, 'accept'),
        world.call('POST /profiles/going/comments', { token: bob.token, body: { body: 'Too late' } }),
        world.call('POST /statuses', { token: alice.token, body: { body: 'Too late', tag_id: open.id } }),
      ]);
      await waitForLocks(world, 5);
      for (const tag of [open, closed]) await deleteTagContent(deletion, { ...tag, owner_id: alice.id });
    });
    expect((await answers)?.map(({ status }) => status)).toEqual([404, 404, 404, 404, 422]);
    const { rows } = await world.app.services.db.native.query(
      `select (select count(*)::int from follows where owner_id = $1) as follows,
              (select count(*)::int from follow_requests where tag_id = $2 and user_id = $3) as requests,
              (select count(*)::int from comments where tag_id = $4) as comments,
              (select count(*)::int from statuses where tag_id = $4) as statuses`,
      [alice.id, closed.id, carol.id, open.id],
    );
    expect(rows).toEqual([{ follows: 0, requests: 0, comments: 0, statuses: 0 }]);
    await world.settle();
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
  });

  it('is allowed to the owner only', async () => {
    const tag = await createTag(world, people.alice, 'kept');
    expect((await world.call(`DELETE /xtags/${tag.id}`, { token: people.bob.token })).body.error.code).toBe(
      'forbidden',
    );
    expect((await world.call(`GET /xtags/${tag.id}`, { token: people.bob.token })).status).toBe(200);
  });

  it('cancels all requests, however many', slow, async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'wanted', { follow_policy: 'approval' });
    const { native } = world.app.services.db;
    await native.query(
      `with asking as (
         insert into users (id, username, password_hash, display_name, created_at)
         select 'usr_' || lpad(n::text, 26, '0'), 'asking' || n, '', 'x', now() from generate_series(1, 1200) n returning id)
       insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, expires_at)
       select 'freq_' || right(id, 26), $1, $2, id, 'pending', '', now(), now() + interval '30 days' from asking`,
      [tag.id, alice.id],
    );
    await world.call(`DELETE /xtags/${tag.id}`, { token: alice.token });
    await world.settle();
    const { rows } = await native.query(
      'select state, count(*)::int as n from follow_requests where tag_id = $1 group by state',
      [tag.id],
    );
    expect(rows).toEqual([{ state: 'cancelled', n: 1200 }]);
  });
});
