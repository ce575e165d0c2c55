import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCall } from '../../testing/steps/calls.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { createSubscription, pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus } from '../../testing/steps/statuses.ts';
import { openSocket } from '../../testing/running/realtime-receivers.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /people/{user_id}/mute', () => {
  let world: World;
  let people: Personas;
  let tag: { id: string };
  let port: number;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    port = await world.app.listen();
    tag = await createTag(world, bob, 'loud');
    await follow(world, tag, alice);
    await follow(world, await createTag(world, carol, 'calm'), alice);
    await registerDevice(world, alice, {
      platform: 'web',
      subscription: createSubscription('https://push.example/alice').subscription,
    });
    await mute(bob.id);
  });
  afterAll(() => world.close());

  const mute = (id: string) => world.call(`PUT /people/${id}/mute`, { token: people.alice.token });

  it('returns the existing mute when repeated, and rejects oneself and unknown users', async () => {
    const { alice, bob } = people;
    const first = await mute(bob.id);
    expect([first.status, first.body.user.username]).toEqual([200, 'bob']);
    expect((await mute(bob.id)).body).toEqual(first.body);
    expect(Object.keys((await mute(alice.id)).body.error.fields)).toEqual(['user_id']);
    expect((await mute(`usr_${'0'.repeat(26)}`)).status).toBe(404);
    expect((await world.call(`GET /people/${bob.id}`, { token: alice.token })).body.muted).toBe(true);
    expect((await world.call(`GET /people/${alice.id}`, { token: bob.token })).body.muted).toBe(false);
    expect((await world.events(`user:${bob.id}`)).filter(({ type }) => /mute/.test(type))).toEqual([]);
  });

  it('omits their statuses from the feed, the home page and the stream, but not from their profile', async () => {
    const { alice, bob, carol } = people;
    const { token } = (await world.call('POST /realtime/grant', { token: alice.token, body: {} })).body;
    const socket = await openSocket({ url: `ws://127.0.0.1:${port}/v1/realtime/socket`, token });
    await postStatus(world, bob, 'loud', { tag_id: tag.id });
    await postStatus(world, bob, 'loud to all');
    await postStatus(world, carol, 'calm');
    await expect.poll(() => socket.received.some((text) => text.includes('"calm"'))).toBe(true);
    expect(socket.received.filter((text) => text.includes('loud'))).toEqual([]);
    socket.close();
    const requireCalm = (bodies: string[]) => {
      expect(bodies).toContain('calm');
      expect(bodies.filter((body) => body.includes('loud'))).toEqual([]);
    };
    requireCalm(await listedTexts(world, '/feed', alice));
    const home = await world.call('GET /home', { token: alice.token });
    requireCalm(home.body.feed.items.map(({ body }: { body: string }) => body));
    const profile = await world.call('GET /profiles/loud', { token: alice.token });
    expect(profile.body.statuses.map(({ body }: { body: string }) => body)).toEqual(['loud']);
    // Tags that are followed after muting are muted as well.
    const later = await createTag(world, bob, 'later');
    await follow(world, later, alice);
    await postStatus(world, bob, 'loud later', { tag_id: later.id });
    requireCalm(await listedTexts(world, '/feed', alice));
  });

  it('sends no notifications or pushes for actions of a muted user', async () => {
    const { alice, bob, carol } = people;
    const before = (await pushesOf(world, alice)).length;
    await postStatus(world, carol, 'Hello @alice');
    await postStatus(world, bob, 'Hello @alice');
    const own = await postStatus(world, alice, 'Mine');
    await world.call(`PUT /statuses/${own.id}/like`, { token: bob.token });
    const notifications = await itemsOf(world, '/notifications', alice);
    const actorsOf = (kind: string) =>
      notifications
        .filter((notification: { kind: string }) => notification.kind === kind)
        .map(({ actor }: { actor: { username: string } }) => actor.username);
    expect([actorsOf('mention'), actorsOf('like')]).toEqual([['carol'], []]);
    expect(await pushesOf(world, alice)).toHaveLength(before + 1);
    const group = await createGroup(world, bob, 'Band');
    await joinGroup(world, group, bob, alice);
    await sendGroupMessage(world, group, bob, 'Loud in the group');
    expect(await itemsOf(world, `/groups/${group.id}/chat`, alice)).toHaveLength(1);
    expect(await pushesOf(world, alice)).toHaveLength(before + 1);
  });

  it('does not affect calls and direct messages', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const before = (await pushesOf(world, alice)).length;
    await sendMessage(world, thread, bob, 'Are you there?');
    expect(await pushesOf(world, alice)).toHaveLength(before + 1);
    await startCall(world, bob, [alice]);
    expect((await pushesOf(world, alice)).length).toBeGreaterThan(before + 1);
  });

  it('is removed with either account', async () => {
    const { alice } = people;
    const dora = await register(world, 'dora', 4);
    await mute(dora.id);
    await world.call(`PUT /people/${alice.id}/mute`, { token: dora.token });
    await world.call('DELETE /me', { token: dora.token, body: { password: dora.password } });
    await world.settle();
    const { rows } = await world.app.services.db.native.query(
      'select 1 from mutes where user_id = $1 or muted_id = $1',
      [dora.id],
    );
    expect(rows).toEqual([]);
  });
});
