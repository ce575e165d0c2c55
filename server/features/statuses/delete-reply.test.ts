import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsOf } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/posting.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('DELETE /statuses/replies/{reply_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is for the author of the reply and of the status', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello');
    const [one, two] = [await replyTo(world, status, bob, 'one'), await replyTo(world, status, bob, 'two')];
    const remove = (id: string, { token }: { token: string }) =>
      world.call(`DELETE /statuses/replies/${id}`, { token });
    expect((await remove(one.id, carol)).body.error.code).toBe('forbidden');
    expect((await remove(one.id, bob)).status).toBe(204);
    expect((await remove(one.id, bob)).status).toBe(404);
    expect((await remove(two.id, alice)).status).toBe(204);
    expect(await listedTexts(world, `/statuses/${status.id}/replies`, carol)).toEqual([]);
    expect(await itemsOf(world, '/notifications', alice)).toEqual([]);
    expect((await world.call('GET /statuses', { token: alice.token })).body.items[0].reply_count).toBe(0);
    expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({
      type: 'reply.deleted',
      data: { id: two.id, post_id: status.id },
    });
  });

  it('does not know a reply to what the caller may not see', async () => {
    const { alice, bob, carol } = people;
    const status = await postStatus(world, alice, 'Hello again');
    const reply = await replyTo(world, status, bob, 'hidden soon');
    await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: { visibility: 'followers' } });
    expect((await world.call(`DELETE /statuses/replies/${reply.id}`, { token: carol.token })).status).toBe(404);
    expect((await world.call(`DELETE /statuses/replies/${reply.id}`, { token: bob.token })).status).toBe(204);
  });
});
