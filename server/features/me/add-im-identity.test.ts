import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /me/im-identities', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const add = (token: string, network: string, handle: string) =>
    world.call('POST /me/im-identities', { token, body: { network, handle } });

  it('adds a handle, and returns the existing one if it is added again', async () => {
    const { token } = people.alice;
    const first = await add(token, 'matrix', '@Alice:example.org');
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^im_/),
      network: 'matrix',
      handle: '@Alice:example.org',
      created_at: expect.stringMatching(/Z$/),
    });
    const again = await add(token, 'matrix', '@alice:example.org');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await add(token, 'xmpp', '@Alice:example.org')).status).toBe(201);
    expect((await add(people.bob.token, 'matrix', '@Alice:example.org')).status).toBe(201);
  });

  it('creates one identity for ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(people.carol.token, 'signal', 'carol.01')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('enforces the limit with 409 limit_reached', async () => {
    const { token } = await register(world, 'dora', 77);
    const { im_identities: max_identities } = world.app.services.limits;
    const statuses: number[] = [];
    for (let at = 0; at < max_identities; at++)
      statuses.push((await add(token, 'matrix', `@dora${at}:example.org`)).status);
    expect(statuses).toEqual(Array(max_identities).fill(201));
    const refused = await add(token, 'matrix', '@one-more:example.org');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'limit_reached']);
    expect((await add(token, 'matrix', '@dora0:example.org')).status).toBe(200);
  });

  it('rejects invalid networks and empty handles with 422', async () => {
    const invalid = await add(people.bob.token, 'Not A Network', 'x');
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['network']]);
    const empty = await add(people.bob.token, 'matrix', '');
    expect([empty.status, Object.keys(empty.body.error.fields)]).toEqual([422, ['handle']]);
  });
});
