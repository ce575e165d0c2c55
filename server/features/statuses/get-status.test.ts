import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /statuses/{post_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns previous versions to the author only', async () => {
    const { alice, bob } = people;
    const status = await postStatus(world, alice, 'Rain');
    await world.call(`PATCH /statuses/${status.id}`, { token: alice.token, body: { body: 'Sun' } });
    const path = `GET /statuses/${status.id}`;
    const own = await world.call(path, { token: alice.token });
    expect(own.body).toMatchObject({ id: status.id, body: 'Sun', edits: [{ body: 'Rain' }] });
    const other = await world.call(path, { token: bob.token });
    expect(other.body).toMatchObject({ id: status.id, body: 'Sun' });
    expect(other.body).not.toHaveProperty('edits');
  });

  it('returns the same 404 for hidden and deleted statuses as for absent ones', async () => {
    const { alice, bob, carol } = people;
    const hidden = await postStatus(world, alice, 'for followers', { visibility: 'followers' });
    const open = await postStatus(world, alice, 'for all');
    await block(world, alice, carol);
    const deleted = await postStatus(world, alice, 'gone');
    await world.call(`DELETE /statuses/${deleted.id}`, { token: alice.token });
    const read = (id: string, who: typeof bob) => world.call(`GET /statuses/${id}`, { token: who.token });
    const absent = await read('post_00000000000000000000000000', bob);
    expect(absent.status).toBe(404);
    const answers = [await read(hidden.id, bob), await read(open.id, carol), await read(deleted.id, alice)];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body.error).toEqual(absent.body.error);
    }
    expect((await read(open.id, bob)).status).toBe(200);
  });
});
