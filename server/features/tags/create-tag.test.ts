import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tag_settings } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /xtags', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('creates a tag with a lower-case name', async () => {
    const { token } = people.alice;
    const { status, body } = await world.call('POST /xtags', { token, body: { name: 'Jazz', title: 'Evenings' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'jazz',
      title: 'Evenings',
      visibility: 'public',
      follow_policy: 'open',
      is_mine: true,
      follower_count: 0,
    });
    expect(body.owner.username).toBe('alice');
  });

  it('stores each of the settings', async () => {
    const body = { name: 'jazz', ...tag_settings };
    const created = await world.call('POST /xtags', { token: people.alice.token, body });
    expect(created.body).toMatchObject(tag_settings);
  });

  it('rejects a name that is in use, regardless of case', async () => {
    await world.call('POST /xtags', { token: people.alice.token, body: { name: 'jazz' } });
    const { status, body } = await world.call('POST /xtags', { token: people.bob.token, body: { name: 'JAZZ' } });
    expect([status, body.error.code]).toEqual([409, 'tag_taken']);
  });

  it('rejects a name with a sigil', async () => {
    const { status, body } = await world.call('POST /xtags', { token: people.bob.token, body: { name: '*jazz' } });
    expect(status).toBe(422);
    expect(Object.keys(body.error.fields)).toEqual(['name']);
  });

  it('rejects letters outside of ASCII, which could look like others', async () => {
    for (const name of ['\u0435xample', 'exampl\u0435', 'ex\u00e4mple', 'ｅｘ', 'e x', 'ex.ample']) {
      const { status, body } = await world.call('POST /xtags', { token: people.bob.token, body: { name } });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['name']]);
    }
  });

  it('enforces the plan limit for concurrent requests', async () => {
    const { token } = people.carol;
    const names = Array.from({ length: 15 }, (_, at) => `carol-${at}`);
    const answers = await Promise.all(names.map((name) => world.call('POST /xtags', { token, body: { name } })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 403).map(({ body }) => body.error.code)).toEqual(
      Array(5).fill('plan_limit_reached'),
    );
  });

  it('creates one tag for fifty concurrent requests with the same idempotency key', async () => {
    const { token } = people.bob;
    const create = () =>
      world.call('POST /xtags', { token, body: { name: 'once' }, headers: { 'idempotency-key': 'k1' } });
    const answers = await Promise.all(Array.from({ length: 50 }, create));
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([201, 409].filter((expected) => answers.some(({ status }) => status === expected))),
    );
    const again = await create();
    expect(again.status).toBe(201);
    expect(answers.filter(({ status }) => status === 201).every(({ body }) => body.id === again.body.id)).toBe(true);
    const other = await world.call('POST /xtags', {
      token,
      body: { name: 'twice' },
      headers: { 'idempotency-key': 'k1' },
    });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    const list = await world.call('GET /xtags', { token });
    expect(list.body.items).toHaveLength(1);
  });
});
