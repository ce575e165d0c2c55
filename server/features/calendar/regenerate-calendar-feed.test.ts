import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchAddress } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calendar/feed/regenerate', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('replaces the URL; after concurrent requests only one is valid', async () => {
    const { token } = people.alice;
    const { body: old } = await world.call('GET /calendar/feed', { token });
    const regenerate = () => world.call('POST /calendar/feed/regenerate', { token, body: {} });
    const created = await Promise.all([regenerate(), regenerate(), regenerate()]);
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    const urls = [old, ...created.map(({ body }) => body)].map(({ url }) => url);
    expect(new Set(urls).size).toBe(4);
    const { body } = await world.call('GET /calendar/feed', { token });
    for (const url of urls) expect((await fetchAddress(world, url)).status).toBe(url === body.url ? 200 : 410);
  });
});
