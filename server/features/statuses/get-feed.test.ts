import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFollow, actOnRequest, block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { createWorld, openNode, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

/** Removes the expiry from file URLs, which may differ between two requests, but keeps file and viewer. */
const withoutExpiry = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => {
      if (key === 'stream_expires_at') return undefined;
      return typeof value === 'string' ? value.replace(/token=\d+\.([^.]+\.[^.]+)\..*$/, 'token=$1') : value;
    }),
  );

describe('GET /feed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('contains statuses of followed tags and own ones, newest first, including those before the follow', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'late');
    await postStatus(world, alice, 'before', { tag_id: tag.id });
    await postStatus(world, alice, 'for followers', { tag_id: tag.id, visibility: 'followers' });
    expect(await listedTexts(world, '/feed', bob)).toEqual([]);
    await follow(world, tag, bob);
    await postStatus(world, bob, 'mine');
    await postStatus(world, carol, 'of a stranger');
    expect(await listedTexts(world, '/feed', bob)).toEqual(['mine', 'for followers', 'before']);
    const page = await world.call('GET /feed?limit=1', { token: bob.token });
    expect(page.body.has_more).toBe(true);
    expect(await listedTexts(world, `/feed?before_id=${page.body.items[0].id}`, bob)).toEqual([
      'for followers',
      'before',
    ]);
    expect(await listedTexts(world, '/feed?offset=2', bob)).toEqual(['before']);
  });

  it('omits statuses of pending requests, blocked users and tags no longer followed', async () => {
    const { alice, carol } = people;
    const tag = await createTag(world, alice, 'by-hand', { follow_policy: 'approval' });
    await postStatus(world, alice, 'inside', { tag_id: tag.id, visibility: 'followers' });
    const request = await requestFollow(world, tag, carol);
    const feed = () => listedTexts(world, '/feed', carol);
    await postStatus(world, carol, 'mine');
    expect(await feed()).toEqual(['mine']);
    await actOnRequest(world, request, alice, 'accept');
    expect(await feed()).toEqual(['mine', 'inside']);
    await world.call(`DELETE /xtags/${tag.id}/follow`, { token: carol.token });
    expect(await feed()).toEqual(['mine']);
    await actOnRequest(world, await requestFollow(world, tag, carol), alice, 'accept');
    await block(world, alice, carol);
    expect(await feed()).toEqual(['mine']);
  });

  it('shows current statuses, even if another node has changed them since they were last read', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'jazz', { title: 'Evenings' });
    for (const reader of [bob, carol]) await follow(world, tag, reader);
    const [image, other_image] = [await uploadPicture(world, alice), await uploadPicture(world, alice, 'blue')];
    const status = await postStatus(world, alice, 'Tonight', { tag_id: tag.id });
    const with_image = await postStatus(world, alice, 'Look', { tag_id: tag.id, media: [image.id] });
    const untagged = await postStatus(world, alice, 'To all');
    const node = await openNode(world);
    try {
      /** Checks that the feeds and home pages of both nodes equal the separate reads of each status. */
      const expectSameFeeds = async (reader: Persona) => {
        const items = await itemsOf(world, '/feed', reader);
        for (const item of items) {
          const { body } = await node.call(`GET /statuses/${item.id}`, { token: reader.token });
          expect(withoutExpiry(item)).toEqual(withoutExpiry(body));
        }
        expect(withoutExpiry(await itemsOf(node, '/feed', reader))).toEqual(withoutExpiry(items));
        const home = await world.call('GET /home', { token: reader.token });
        expect(withoutExpiry(home.body.feed.items)).toEqual(withoutExpiry(items));
        return items;
      };
      const change = async (route: string, who: Persona, body?: object) => {
        const answer = await node.call(route, { token: who.token, ...(body ? { body } : {}) });
        expect([route, answer.status < 300]).toEqual([route, true]);
        const [of_bob, of_carol] = [await expectSameFeeds(bob), await expectSameFeeds(carol)];
        return { of_bob, of_carol };
      };
      const ids = (items: { id: string }[]) => items.map(({ id }) => id);
      const all = [untagged.id, with_image.id, status.id];
      expect(ids(await expectSameFeeds(bob))).toEqual(all);
      expect(ids(await expectSameFeeds(carol))).toEqual(all);
      const liked = await change(`PUT /statuses/${status.id}/like`, bob, {});
      expect([liked.of_bob[2].liked, liked.of_carol[2].liked, liked.of_carol[2].like_count]).toEqual([true, false, 1]);
      const { id: reply_id } = await replyTo(node, status, bob, 'I come');
      expect((await expectSameFeeds(carol))[2].reply_count).toBe(1);
      await change(`POST /blocks`, carol, { user_id: bob.id });
      expect((await expectSameFeeds(carol))[2].reply_count).toBe(0);
      expect((await expectSameFeeds(bob))[2].reply_count).toBe(1);
      await change(`DELETE /statuses/replies/${reply_id}`, bob);
      await change(`PATCH /statuses/${status.id}`, alice, { body: 'Tomorrow' });
      await change(`PATCH /statuses/${with_image.id}`, alice, { media: [other_image.id, image.id] });
      const without = await change(`PATCH /statuses/${with_image.id}`, alice, { media: [] });
      expect(without.of_bob[1].media).toEqual([]);
      await change('PATCH /me', alice, { display_name: 'Alice A.' });
      await change(`PATCH /xtags/${tag.id}`, alice, { title: 'Late evenings' });
      const renamed = await change(`PATCH /xtags/${tag.id}`, alice, { name: 'late-jazz' });
      expect(renamed.of_bob[2]).toMatchObject({
        body: 'Tomorrow',
        author: { display_name: 'Alice A.' },
        tag: { name: 'late-jazz', title: 'Late evenings' },
      });
      await change(`PATCH /xtags/${tag.id}`, alice, { visibility: 'private' });
      expect(ids((await change(`DELETE /xtags/${tag.id}/follow`, bob)).of_bob)).toEqual([]);
      const { rows } = await node.app.services.db.native.query('update users set suspended_at = now() where id = $1', [
        alice.id,
      ]);
      expect([rows.length, ids(await expectSameFeeds(carol))]).toEqual([0, []]);
      await node.app.services.db.native.query('update users set suspended_at = null where id = $1', [alice.id]);
      await change(`DELETE /statuses/${untagged.id}`, alice);
      expect(ids(await expectSameFeeds(carol))).toEqual([with_image.id, status.id]);
      await block(node, alice, carol);
      expect(ids(await expectSameFeeds(carol))).toEqual([]);
    } finally {
      await node.close();
    }
  });
});
