import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, register, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('PUT /xtags/{xtag_id}/follow', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('follows an open tag at once, notifies the owner once, and increments the count', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'open-tag');
    for (let time = 0; time < 2; time++) {
      const { status, body } = await follow(world, tag, bob);
      expect([status, body]).toEqual([200, { state: 'following' }]);
    }
    const seen = (await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body;
    expect(seen).toMatchObject({ follower_count: 1, following: true, requested: false, is_mine: false });
    const notifications = await itemsOf(world, '/notifications', alice);
    expect(notifications.map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual([
      ['follow', 'bob started following *open-tag'],
    ]);
    expect((await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'notification.created')).toHaveLength(
      1,
    );
  });

  it('is limited per account, including pending requests', async () => {
    const small = await createWorld({ limits: { follows: 2 } });
    try {
      const { alice, bob } = people;
      const tags = [];
      for (const name of ['one', 'two', 'three'])
        tags.push(await createTag(small, alice, name, { follow_policy: name === 'two' ? 'approval' : 'open' }));
      const statuses = [];
      for (const tag of [...tags, ...tags]) statuses.push((await follow(small, tag, bob)).status);
      expect(statuses).toEqual([200, 202, 409, 200, 202, 409]);
      expect((await follow(small, tags[2], bob)).body.error.code).toBe('limit_reached');
    } finally {
      await small.close();
    }
  });

  it('is limited also when tags of different owners are followed at once', slow, async () => {
    const small = await createWorld({ limits: { follows: 2 } });
    try {
      const { alice, bob, carol } = people;
      const owners = [alice, carol, await register(small, 'olga', 801), await register(small, 'omar', 802)];
      const tags: { id: string }[] = [];
      for (const owner of owners) {
        const policy = tags.length % 2 === 0 ? 'open' : 'approval';
        tags.push(await createTag(small, owner, `crowded-${tags.length}`, { follow_policy: policy }));
      }
      // Some rounds, since it depends on the order in which the database runs their statements.
      for (let round = 0; round < 8; round++) {
        const answers = await Promise.all(tags.map((tag) => follow(small, tag, bob)));
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
        for (const tag of tags) await small.call(`DELETE /xtags/${tag.id}/follow`, { token: bob.token });
      }
    } finally {
      await small.close();
    }
  });

  it('counts a declined request until it expires, as a pending one, so that no free place reveals the decline', async () => {
    const small = await createWorld({ limits: { follows: 2 } });
    try {
      const { alice, bob } = people;
      const tags = [];
      for (const name of ['shut', 'idle', 'wanted'])
        tags.push(await createTag(small, alice, name, { follow_policy: name === 'wanted' ? 'open' : 'approval' }));
      const declined = await requestFollow(small, tags[0], bob);
      await requestFollow(small, tags[1], bob);
      expect((await actOnRequest(small, declined, alice, 'decline')).body.state).toBe('declined');
      expect((await follow(small, tags[2], bob)).status).toBe(409);
      await advanceDays(small, 31);
      expect((await follow(small, tags[2], bob)).status).toBe(200);
      expect((await follow(small, tags[0], bob)).status).toBe(202);
      expect((await follow(small, tags[1], bob)).status).toBe(409);
    } finally {
      await small.close();
    }
  });

  it('creates a request for a tag with approval policy, and returns it when repeated', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'careful', { follow_policy: 'approval' });
    const request = await requestFollow(world, tag, bob, 'please');
    expect(request).toMatchObject({ state: 'pending', message: 'please', tag: { name: 'careful' }, decided_at: null });
    expect(await requestFollow(world, tag, bob, 'again')).toEqual(request);
    const seen = (await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body;
    expect(seen).toMatchObject({ follower_count: 0, following: false, requested: true });
  });

  it('does not reveal a decline, not even when the request is cancelled and repeated', async () => {
    const { alice, carol } = people;
    const tag = await createTag(world, alice, 'quiet', { follow_policy: 'approval' });
    const first = await requestFollow(world, tag, carol);
    expect((await actOnRequest(world, first, alice, 'decline')).body.state).toBe('declined');
    expect(await requestFollow(world, tag, carol)).toEqual(first);
    const outgoing = await itemsOf(world, '/follow-requests/outgoing', carol);
    expect(outgoing.filter(({ id }: { id: string }) => id === first.id)).toEqual([first]);
    expect((await actOnRequest(world, first, carol, 'cancel')).body.state).toBe('cancelled');
    const second = await requestFollow(world, tag, carol, 'anew');
    expect(second.id).not.toBe(first.id);
    expect(second).toMatchObject({ state: 'pending', decided_at: null, message: 'anew' });
    expect(await itemsOf(world, '/follow-requests', alice)).not.toContainEqual(
      expect.objectContaining({ id: second.id }),
    );
    await advanceDays(world, 31);
    const third = await requestFollow(world, tag, carol);
    expect(await itemsOf(world, '/follow-requests', alice)).toContainEqual(expect.objectContaining({ id: third.id }));
  });

  it('accepts no requests when the tag becomes open; a new follow then completes the request', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'opening', { follow_policy: 'approval' });
    const request = await requestFollow(world, tag, bob);
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { follow_policy: 'open' } });
    const { body } = await world.call(`GET /xtags/${tag.id}`, { token: bob.token });
    expect(body).toMatchObject({ following: false, requested: true });
    expect((await follow(world, tag, bob)).body.state).toBe('following');
    expect((await actOnRequest(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
  });

  it('rejects the own tag, and returns 404 for a private tag and across a block', async () => {
    const { alice, bob, carol } = people;
    const own = await createTag(world, alice, 'own-tag');
    expect((await follow(world, own, alice)).body.error.code).toBe('self_not_allowed');
    const hidden = await createTag(world, alice, 'hidden-tag', { visibility: 'private' });
    expect((await follow(world, hidden, bob)).status).toBe(404);
    await block(world, alice, carol);
    expect((await follow(world, own, carol)).status).toBe(404);
  });
});
