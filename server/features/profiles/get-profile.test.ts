import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { requestFollow, actOnRequest, block, follow, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /profiles/{xtag}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const read = (name: string, token?: string, headers: Record<string, string> = {}) =>
    world.call(`GET /profiles/${name}`, { token, headers });

  it('returns and counts the statuses that each kind of viewer may see', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'stage', { title: 'On stage' });
    await follow(world, tag, bob);
    for (let at = 0; at < 11; at++) await postStatus(world, alice, `public ${at}`, { tag_id: tag.id });
    await postStatus(world, alice, 'for followers', { tag_id: tag.id, visibility: 'followers' });
    await postStatus(world, alice, 'elsewhere');
    const views = await Promise.all([undefined, carol, bob, alice].map((who) => read('stage', who?.token)));
    expect(views.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(views.map(({ body }) => body.status_count)).toEqual([11, 11, 12, 12]);
    const firsts = views.map(({ body }) => body.statuses[0].body);
    expect(firsts).toEqual(['public 10', 'public 10', 'for followers', 'for followers']);
    for (const { body } of views) {
      expect(body.statuses).toHaveLength(10);
      expect(body).toMatchObject({
        tag: { id: tag.id, name: 'stage', title: 'On stage' },
        owner: { id: alice.id, username: 'alice' },
        follower_count: 1,
        live: { live: false },
        comments_open: true,
      });
    }
    expect(views.map(({ body }) => [body.tag.following, body.tag.is_mine])).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  it('is cacheable for guests, and returns 304 for a matching ETag', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'kept');
    const first = await read('kept');
    expect([first.headers['cache-control'], first.headers['vary']]).toEqual(['public, no-cache', 'Authorization']);
    const { etag = '' } = first.headers;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read('kept', undefined, { 'if-none-match': known });
      expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    }
    expect((await read('kept', undefined, { 'if-none-match': '"other"' })).status).toBe(200);
    const mine = await read('kept', alice.token, { 'if-none-match': etag });
    expect([mine.status, mine.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(await read('kept', alice.token, { 'if-none-match': mine.headers['etag'] ?? '' })).toMatchObject({
      status: 304,
    });
    await postStatus(world, alice, 'news', { tag_id: tag.id });
    expect((await read('kept', undefined, { 'if-none-match': etag })).status).toBe(200);
  });

  it('is found regardless of case and by its former name for 30 days, and not with a sigil', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'before');
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: 'after' } });
    for (const name of ['after', 'AFTER', 'before', 'Before']) expect((await read(name)).body.tag.name).toBe('after');
    for (const name of ['*after', '%2Aafter', '@after', 'a', 'aftér']) expect((await read(name)).status).toBe(404);
    await advanceDays(world, 31);
    expect([(await read('before')).status, (await read('after')).status]).toEqual([404, 200]);
  });

  it('returns the same 404 for a private tag and across a block as for an absent tag', slow, async () => {
    const other_world = await createWorld();
    const { alice, bob, carol } = people;
    const tag = await createTag(other_world, alice, 'closed', { visibility: 'unlisted', follow_policy: 'approval' });
    await actOnRequest(other_world, await requestFollow(other_world, tag, bob), alice, 'accept');
    await other_world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { visibility: 'private' } });
    const readIn = (name: string, token?: string) => other_world.call(`GET /profiles/${name}`, { token });
    const statuses = async () =>
      Promise.all([undefined, carol, bob, alice].map(async (who) => (await readIn('closed', who?.token)).status));
    expect(await statuses()).toEqual([404, 404, 200, 200]);
    await other_world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { visibility: 'public' } });
    await block(other_world, carol, alice);
    expect(await statuses()).toEqual([200, 404, 200, 200]);
    const [hidden, absent] = [await readIn('closed', carol.token), await readIn('nowhere', carol.token)];
    expect([hidden.body, hidden.headers['cache-control']]).toEqual([absent.body, absent.headers['cache-control']]);
    await other_world.close();
  });

  it('includes the public call of the owner', async () => {
    const { alice, bob } = people;
    await createTag(world, alice, 'show');
    const call = await startCall(world, alice, [bob], { privacy: 'public' });
    await requestGrants(world, call.join_code, alice, bob);
    await connectMedia(world, call.conference_id, alice, bob);
    const { live } = (await read('show')).body;
    expect(live).toMatchObject({ live: true, join_code: call.join_code, participant_count: 2 });
  });
});
