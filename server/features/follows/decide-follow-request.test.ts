import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, block, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, advanceDays, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /follow-requests/{request_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const createClosedTag = (name: string) => createTag(world, people.alice, name, { follow_policy: 'approval' });

  it('accepts: the requester follows and is notified, and the notification of the owner is removed', async () => {
    const { alice, bob } = people;
    const tag = await createClosedTag('one-tag');
    const request = await requestFollow(world, tag, bob);
    expect(await itemsOf(world, '/notifications', alice)).toMatchObject([
      { kind: 'follow_request', text: 'bob requested to follow *one-tag' },
    ]);
    const accepted = await actOnRequest(world, request, alice, 'accept');
    expect(accepted.body).toMatchObject({ state: 'accepted', decided_at: expect.any(String) });
    expect((await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body).toMatchObject({
      following: true,
      requested: false,
      follower_count: 1,
    });
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect(await itemsOf(world, '/notifications', bob)).toMatchObject([
      { kind: 'follow_accepted', text: 'alice accepted your request to follow *one-tag' },
    ]);
    expect(await world.events(`user:${bob.id}`)).toContainEqual({
      type: 'follow.accepted',
      data: { request: accepted.body },
    });
    for (const action of ['accept', 'decline', 'undo'])
      expect((await actOnRequest(world, request, alice, action)).body.error.code).toBe('already_decided');
  });

  it('declines without an event to the requester; a decline can be undone and then accepted', async () => {
    const { alice, carol } = people;
    const tag = await createClosedTag('two-tag');
    const request = await requestFollow(world, tag, carol);
    const before = await world.events(`user:${carol.id}`);
    expect((await actOnRequest(world, request, alice, 'decline')).body.state).toBe('declined');
    expect(await world.events(`user:${carol.id}`)).toEqual(before);
    expect((await actOnRequest(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
    expect((await actOnRequest(world, request, alice, 'undo')).body).toMatchObject({
      state: 'pending',
      decided_at: null,
    });
    expect((await actOnRequest(world, request, alice, 'accept')).body.state).toBe('accepted');
  });

  it('allows cancelling by the requester only; returns 403 to the other side and 404 to others', async () => {
    const { alice, bob, carol } = people;
    const request = await requestFollow(world, await createClosedTag('three-tag'), bob);
    expect((await actOnRequest(world, request, alice, 'cancel')).body.error.code).toBe('forbidden');
    expect((await actOnRequest(world, request, bob, 'accept')).body.error.code).toBe('forbidden');
    expect((await actOnRequest(world, request, carol, 'accept')).status).toBe(404);
    expect((await actOnRequest(world, request, bob, 'cancel')).body.state).toBe('cancelled');
    expect((await actOnRequest(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
  });

  it('returns gone after 30 days and 404 across a block', async () => {
    const { alice, bob } = people;
    const [late, blocked] = [await createClosedTag('four-tag'), await createClosedTag('five-tag')];
    const request = await requestFollow(world, late, bob);
    await advanceDays(world, 30);
    expect((await actOnRequest(world, request, alice, 'accept')).body.error.code).toBe('gone');
    const second = await requestFollow(world, blocked, bob);
    await block(world, bob, alice);
    expect((await actOnRequest(world, second, alice, 'accept')).status).toBe(404);
    expect((await actOnRequest(world, second, bob, 'cancel')).status).toBe(404);
  });
});
