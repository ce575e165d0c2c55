import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /statuses/{post_id}/like', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const request = (method: 'PUT' | 'DELETE', { id }: { id: string }, { token }: Persona) =>
    world.call(`${method} /statuses/${id}/like`, { token });

  it('removes the like once, and the notification of the author', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'First light');
    for (const who of [bob, carol]) await request('PUT', status, who);
    const gone = await request('DELETE', status, bob);
    expect([gone.status, gone.body.like_count, gone.body.liked]).toEqual([200, 1, false]);
    expect((await request('DELETE', status, bob)).body.like_count).toBe(1);
    expect(await itemsOf(world, '/notifications', alice)).toMatchObject([{ kind: 'like', actor_count: 1 }]);
    await request('DELETE', status, carol);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect((await request('DELETE', { id: `post_${'0'.repeat(26)}` }, bob)).status).toBe(404);
  });

  it('happens when the account is deleted', async () => {
    const { alice, carol } = people;
    const status = await postStatus(world, alice, 'Last light');
    await request('PUT', status, carol);
    await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    await world.settle();
    const { body } = await world.call(`GET /statuses/${status.id}`, { token: alice.token });
    expect(body.like_count).toBe(0);
  });
});
