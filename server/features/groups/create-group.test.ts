import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGroup, readGroup } from '../../testing/steps/groups.ts';
import { fetchSigned, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /groups', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('creates an empty group owned by the caller', async () => {
    const { alice } = people;
    const group = await createGroup(world, alice, '  Choir ', { description: 'Tuesdays' });
    expect(group).toMatchObject({
      id: expect.stringMatching(/^grp_/),
      name: 'Choir',
      description: 'Tuesdays',
      avatar_url: null,
      role: 'owner',
      owner: { username: 'alice' },
      member_count: 0,
      members: [],
    });
    expect(await readGroup(world, group, alice)).toEqual(group);
    expect(await world.events(`user:${alice.id}`)).toContainEqual({ type: 'group.updated', data: { id: group.id } });
  });

  it('accepts an image of the owner as avatar, and rejects one of another user', async () => {
    const { bob, carol } = people;
    const image = await uploadPicture(world, carol);
    const group = await createGroup(world, carol, 'Hikers', { avatar_file_id: image.id });
    expect((await fetchSigned(world, group.avatar_url)).status).toBe(200);
    const body = { name: 'Thieves', avatar_file_id: image.id };
    const refused = await world.call('POST /groups', { token: bob.token, body });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['avatar_file_id']]);
  });

  it('enforces the plan limit of groups, also for concurrent requests', async () => {
    const { bob } = people;
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, at) =>
        world.call('POST /groups', { token: bob.token, body: { name: `Group ${at}` } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 403, 403]);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body.error.code).toBe('plan_limit_reached');
    const created = answers.find(({ status }) => status === 201);
    await world.call(`DELETE /groups/${created?.body.id}`, { token: bob.token });
    await createGroup(world, bob, 'In its place');
  });
});
