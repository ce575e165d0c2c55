import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, act, block, follow, makeTag } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { bodiesOf, post } from '../../testing/posting.ts';
import { rewindEach } from '../../testing/rewind.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('GET /feed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  rewindEach(() => world);

  it('holds what one follows and posts oneself, newest first, older statuses too', async () => {
    const { alice, bob, carol } = people;
    const tag = await makeTag(world, alice, 'late');
    await post(world, alice, 'before', { tag_id: tag.id });
    await post(world, alice, 'for followers', { tag_id: tag.id, visibility: 'followers' });
    expect(await bodiesOf(world, '/feed', bob)).toEqual([]);
    await follow(world, tag, bob);
    await post(world, bob, 'mine');
    await post(world, carol, 'of a stranger');
    expect(await bodiesOf(world, '/feed', bob)).toEqual(['mine', 'for followers', 'before']);
    const page = await world.call('GET /feed?limit=1', { token: bob.token });
    expect(page.body.has_more).toBe(true);
    expect(await bodiesOf(world, `/feed?before_id=${page.body.items[0].id}`, bob)).toEqual(['for followers', 'before']);
    expect(await bodiesOf(world, '/feed?offset=2', bob)).toEqual(['before']);
  });

  it('holds nothing of a request that waits, of a block, or of what was left', async () => {
    const { alice, carol } = people;
    const tag = await makeTag(world, alice, 'by-hand', { follow_policy: 'approval' });
    await post(world, alice, 'inside', { tag_id: tag.id, visibility: 'followers' });
    const request = await ask(world, tag, carol);
    const feed = () => bodiesOf(world, '/feed', carol);
    await post(world, carol, 'mine');
    expect(await feed()).toEqual(['mine']);
    await act(world, request, alice, 'accept');
    expect(await feed()).toEqual(['mine', 'inside']);
    await world.call(`DELETE /xtags/${tag.id}/follow`, { token: carol.token });
    expect(await feed()).toEqual(['mine']);
    await act(world, await ask(world, tag, carol), alice, 'accept');
    await block(world, alice, carol);
    expect(await feed()).toEqual(['mine']);
  });
});
