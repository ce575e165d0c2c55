import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /statuses/replies/{reply_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is allowed to the author of the reply and the author of the status', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello');
    const [first, second] = [await replyTo(world, status, bob, 'one'), await replyTo(world, status, bob, 'two')];
    const remove = (id: string, { token }: { token: string }) =>
      world.call(`DELETE /statuses/replies/${id}`, { token });
    expect((await remove(first.id, carol)).body.error.code).toBe('forbidden');
    expect((await remove(first.id, bob)).status).toBe(204);
    expect((await remove(first.id, bob)).status).toBe(404);
    expect((await remove(second.id, alice)).status).toBe(204);
    expect(await listedTexts(world, `/statuses/${status.id}/replies`, carol)).toEqual([]);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect((await world.call('GET /statuses', { token: alice.token })).body.items[0].reply_count).toBe(0);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({
      type: 'reply.deleted',
      data: { id: second.id, post_id: status.id },
    });
  });

  it('returns 404 if the caller cannot see the status, except to the author of the reply', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello again');
    const reply = await replyTo(world, status, bob, 'hidden soon');
    await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: { visibility: 'followers' } });
    expect((await world.call(`DELETE /statuses/replies/${reply.id}`, { token: carol.token })).status).toBe(404);
    expect((await world.call(`DELETE /statuses/replies/${reply.id}`, { token: bob.token })).status).toBe(204);
  });
});
