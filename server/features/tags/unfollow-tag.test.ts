import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnRequest, requestFollow, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /xtags/{xtag_id}/follow', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('removes the follow and its notification', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'left');
    await follow(world, tag, bob);
    const note = (await itemsOf(world, '/notifications', alice))[0];
    const leave = () => world.call(`DELETE /xtags/${tag.id}/follow`, { token: bob.token });
    expect((await leave()).status).toBe(204);
    expect((await leave()).status).toBe(204);
    expect((await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body).toMatchObject({
      follower_count: 0,
      following: false,
    });
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect(await world.events(`user:${alice.id}`)).toContainEqual({
      type: 'notification.cleared',
      data: { ids: [note.id] },
    });
  });

  it('cancels a pending request', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'waiting', { follow_policy: 'approval' });
    const request = await requestFollow(world, tag, bob);
    await world.call(`DELETE /xtags/${tag.id}/follow`, { token: bob.token });
    expect(await itemsOf(world, '/follow-requests/outgoing', bob)).toEqual([]);
    expect(await itemsOf(world, '/follow-requests', alice)).toEqual([]);
    expect((await actOnRequest(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
  });

  it('returns 404 if the caller cannot see the tag', async () => {
    const tag = await createTag(world, people.alice, 'unseen', { visibility: 'private' });
    expect((await world.call(`DELETE /xtags/${tag.id}/follow`, { token: people.bob.token })).status).toBe(404);
  });
});
