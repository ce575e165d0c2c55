import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /notifications', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('combines similar unread notifications, newest first, counting each actor once', async () => {
    const { alice, bob, carol } = people;
    const [first_tag, second_tag] = [
      await createTag(world, alice, 'one-tag'),
      await createTag(world, alice, 'two-tag'),
    ];
    await follow(world, first_tag, bob);
    await follow(world, first_tag, carol);
    await follow(world, second_tag, bob);
    const texts = async () => (await itemsOf(world, '/notifications', alice)).map(({ text }: { text: string }) => text);
    expect(await texts()).toEqual(['bob started following *two-tag', '2 people started following *one-tag']);
    const [newest, combined] = await itemsOf(world, '/notifications', alice);
    expect(combined).toMatchObject({ kind: 'follow', actor: { username: 'carol' }, actor_count: 2, read: false });
    expect(combined.subject).toEqual({ type: 'tag', id: first_tag.id });
    expect(await itemsOf(world, `/notifications?before_id=${newest.id}`, alice)).toEqual([combined]);
    await world.call(`DELETE /xtags/${first_tag.id}/follow`, { token: carol.token });
    expect(await texts()).toEqual(['bob started following *two-tag', 'bob started following *one-tag']);
    expect(await itemsOf(world, '/notifications', bob)).toEqual([]);
  });

  it('starts a new notification after the previous was read, and filters by unread', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'three-tag');
    await world.call('POST /notifications/read-all', { token: alice.token, body: {} });
    await follow(world, tag, bob);
    const [first] = await itemsOf(world, '/notifications', alice);
    await world.call(`PATCH /notifications/${first.id}`, { token: alice.token, body: { read: true } });
    await follow(world, tag, carol);
    const unread = await itemsOf(world, '/notifications?unread=true', alice);
    expect(unread.map(({ text }: { text: string }) => text)).toEqual(['carol started following *three-tag']);
    expect(await itemsOf(world, '/notifications?unread=true', bob)).toEqual([]);
  });

  it('omits kinds that the user has disabled', async () => {
    const { bob, carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { notifications: { follow: false } } });
    await follow(world, await createTag(world, carol, 'silent'), bob);
    expect(await itemsOf(world, '/notifications', carol)).toEqual([]);
    const { body } = await world.call('GET /me', { token: carol.token });
    expect(body.notifications).toMatchObject({ follow: false, mention: true });
  });
});
