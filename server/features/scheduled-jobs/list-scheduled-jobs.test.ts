import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { schedule } from '../../testing/steps/scheduled-jobs.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /scheduled-jobs', () => {
  let world: World;
  let people: Personas;
  const jobs: { id: string }[] = [];
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    for (let at = 0; at < 4; at++)
      jobs.push(await schedule(world, people.alice, { kind: 'reminder', body: `Number ${at}` }));
    await world.call(`DELETE /scheduled-jobs/${jobs[1]?.id}`, { token: people.alice.token });
  });
  afterAll(() => world.close());

  const list = async (query: string, who: 'alice' | 'bob' = 'alice') => {
    const { status, body } = await world.call(`GET /scheduled-jobs${query}`, { token: people[who].token });
    expect(status).toBe(200);
    return { ids: body.items.map((item: { id: string }) => item.id), has_more: body.has_more };
  };
  const ids = (...places: number[]) => places.map((at) => jobs[at]?.id);

  it('lists jobs newest first, filters by state, and paginates', async () => {
    expect(await list('')).toEqual({ ids: ids(3, 2, 1, 0), has_more: false });
    expect(await list('?state=scheduled&limit=2')).toEqual({ ids: ids(3, 2), has_more: true });
    expect(await list(`?state=scheduled&before_id=${jobs[2]?.id}`)).toEqual({ ids: ids(0), has_more: false });
    expect(await list('?state=cancelled')).toEqual({ ids: ids(1), has_more: false });
    expect(await list('?offset=3')).toEqual({ ids: ids(0), has_more: false });
  });

  it('lists no jobs of other users', async () => {
    expect(await list('', 'bob')).toEqual({ ids: [], has_more: false });
  });

  it('rejects an unknown state', async () => {
    const invalid = await world.call('GET /scheduled-jobs?state=lost', { token: people.alice.token });
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['state']]);
  });
});
