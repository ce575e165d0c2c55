import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { act, ask, block, itemsOf, makeTag } from '../../testing/following.ts';
import { findPersonas, passDays, type Personas } from '../../testing/personas.ts';
import { rewindEach } from '../../testing/rewind.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('PATCH /follow-requests/{request_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  rewindEach(() => world);

  const closedTag = (name: string) => makeTag(world, people.alice, name, { follow_policy: 'approval' });

  it('accepts: the asker follows, is told, and the owner is no longer', async () => {
    const { alice, bob } = people;
    const tag = await closedTag('one-tag');
    const request = await ask(world, tag, bob);
    expect(await itemsOf(world, '/notifications', alice)).toMatchObject([
      { kind: 'follow_request', text: 'bob asks to follow *one-tag' },
    ]);
    const accepted = await act(world, request, alice, 'accept');
    expect(accepted.body).toMatchObject({ state: 'accepted', decided_at: expect.any(String) });
    expect((await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body).toMatchObject({
      following: true,
      requested: false,
      follower_count: 1,
    });
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect(await itemsOf(world, '/notifications', bob)).toMatchObject([
      { kind: 'follow_accepted', text: 'alice lets you follow *one-tag' },
    ]);
    expect(await world.events(`user:${bob.id}`)).toContainEqual({
      type: 'follow.accepted',
      data: { request: accepted.body },
    });
    for (const action of ['accept', 'decline', 'undo'])
      expect((await act(world, request, alice, action)).body.error.code).toBe('already_decided');
  });

  it('declines without a word, and a denial can be undone and accepted', async () => {
    const { alice, carol } = people;
    const tag = await closedTag('two-tag');
    const request = await ask(world, tag, carol);
    const before = await world.events(`user:${carol.id}`);
    expect((await act(world, request, alice, 'decline')).body.state).toBe('declined');
    expect(await world.events(`user:${carol.id}`)).toEqual(before);
    expect((await act(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
    expect((await act(world, request, alice, 'undo')).body).toMatchObject({ state: 'pending', decided_at: null });
    expect((await act(world, request, alice, 'accept')).body.state).toBe('accepted');
  });

  it('lets the asker alone cancel, and nobody else know', async () => {
    const { alice, bob, carol } = people;
    const request = await ask(world, await closedTag('three-tag'), bob);
    expect((await act(world, request, alice, 'cancel')).body.error.code).toBe('forbidden');
    expect((await act(world, request, bob, 'accept')).body.error.code).toBe('forbidden');
    expect((await act(world, request, carol, 'accept')).status).toBe(404);
    expect((await act(world, request, bob, 'cancel')).body.state).toBe('cancelled');
    expect((await act(world, request, alice, 'accept')).body.error.code).toBe('already_decided');
  });

  it('is over after 30 days, and gone beyond a block', async () => {
    const { alice, bob } = people;
    const [late, blocked] = [await closedTag('four-tag'), await closedTag('five-tag')];
    const request = await ask(world, late, bob);
    await passDays(world, 30);
    expect((await act(world, request, alice, 'accept')).body.error.code).toBe('gone');
    const second = await ask(world, blocked, bob);
    await block(world, bob, alice);
    expect((await act(world, second, alice, 'accept')).status).toBe(404);
    expect((await act(world, second, bob, 'cancel')).status).toBe(404);
  });
});
