import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /statuses/{post_id}/like', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const like = ({ id }: { id: string }, { token }: Persona) => world.call(`PUT /statuses/${id}/like`, { token });
  const read = async ({ id }: { id: string }, { token }: Persona) => {
    const { body } = await world.call(`GET /statuses/${id}`, { token });
    return [body.like_count, body.liked];
  };

  it('counts each user once, also for concurrent requests', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'First light');
    const answers = await Promise.all([bob, bob, bob, carol, alice].map((who) => like(status, who)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await read(status, bob)).toEqual([3, true]);
    const tag = await createTag(world, alice, 'mornings');
    await follow(world, tag, carol);
    const tagged = await postStatus(world, alice, 'Second light', { tag_id: tag.id });
    expect([tagged.like_count, tagged.liked]).toEqual([0, false]);
    await like(tagged, carol);
    const [seen] = await itemsOf(world, '/feed', carol);
    expect([seen.id, seen.like_count, seen.liked]).toEqual([tagged.id, 1, true]);
    const profile = await world.call('GET /profiles/mornings', { token: bob.token });
    expect([profile.body.statuses[0].like_count, profile.body.statuses[0].liked]).toEqual([1, false]);
  });

  it('notifies the author, combined for several users, without a push', async () => {
    const { alice, bob, carol } = people;
    await registerDevice(world, alice, { platform: 'ios', token: 'a'.repeat(64) });
    const status = await postStatus(world, alice, 'A quiet one');
    for (const who of [bob, carol, bob, alice]) await like(status, who);
    const [notification] = await itemsOf(world, '/notifications', alice);
    expect(notification).toMatchObject({ kind: 'like', actor_count: 2, text: '2 people liked your post' });
    expect(await pushesOf(world, alice)).toEqual([]);
  });

  it('returns the same 404 for hidden statuses as for absent ones', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'inner-circle', { visibility: 'private' });
    const hidden = await postStatus(world, alice, 'For few', { tag_id: tag.id });
    const absent = await like({ id: `post_${'0'.repeat(26)}` }, bob);
    expect([(await like(hidden, bob)).body, absent.status]).toEqual([absent.body, 404]);
    const open = await postStatus(world, alice, 'For all');
    await block(world, alice, carol);
    expect((await like(open, carol)).status).toBe(404);
  });
});
