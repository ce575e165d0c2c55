import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCreateWidget, grantPlusPlan, origin } from '../../testing/steps/widgets.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /widgets', () => {
  let world: World;
  let people: Personas;
  let tag: { id: string };
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    tag = await createTag(world, people.alice, 'shop');
  });
  afterAll(() => world.close());

  it('creates widgets of a tag up to the plan limit, also for concurrent requests', async () => {
    const { alice } = people;
    const both = await Promise.all([tryCreateWidget(world, alice, tag), tryCreateWidget(world, alice, tag)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
    const { body } = both.find(({ status }) => status === 201) ?? both[0];
    expect(body).toMatchObject({
      tag: { id: tag.id, name: 'shop' },
      group_id: null,
      kind: 'chat',
      title: '',
      theme: { accent: null, mode: 'auto', position: 'right' },
      allowed_origins: [origin],
      enabled: true,
    });
    expect(body.public_key).toMatch(/^[\w-]{24}$/);
    expect(both.find(({ status }) => status === 403)?.body.error.code).toBe('plan_limit_reached');
    expect((await world.call('GET /billing/entitlements', { token: alice.token })).body.used.widgets).toBe(1);
    await grantPlusPlan(world, alice);
    const group = await createGroup(world, alice, 'Staff');
    const more = { title: 'Ask us', theme: { accent: '#0a7f3f', mode: 'dark' }, group_id: group.id, enabled: false };
    const second = await tryCreateWidget(world, alice, tag, more);
    expect([second.status, second.body.theme, second.body.group_id, second.body.enabled]).toEqual([
      201,
      { accent: '#0a7f3f', mode: 'dark', position: 'right' },
      group.id,
      false,
    ]);
  });

  it('rejects invalid fields, and tags and groups of other accounts', async () => {
    const { alice, bob } = people;
    const fieldsOf = async (more: object) => {
      const { status, body } = await tryCreateWidget(world, alice, tag, more);
      return [status, Object.keys(body.error.fields)];
    };
    for (const bad of ['http://shop.example', 'https://shop.example/', '*', 'https://SHOP.example'])
      expect(await fieldsOf({ allowed_origins: [origin, bad] })).toEqual([422, ['allowed_origins.1']]);
    expect(await fieldsOf({ allowed_origins: [] })).toEqual([422, ['allowed_origins']]);
    const many = Array.from({ length: 21 }, (_none, at) => `https://a${at}.example`);
    expect(await fieldsOf({ allowed_origins: many })).toEqual([422, ['allowed_origins']]);
    expect(await fieldsOf({ kind: 'video' })).toEqual([422, ['kind']]);
    expect(await fieldsOf({ title: 'x'.repeat(81) })).toEqual([422, ['title']]);
    expect(await fieldsOf({ theme: { accent: 'red' } })).toEqual([422, ['theme.accent']]);
    const theirs = await createTag(world, bob, 'theirs');
    const [foreign, absent] = await Promise.all([
      tryCreateWidget(world, alice, theirs),
      tryCreateWidget(world, alice, { id: `tag_${'0'.repeat(26)}` }),
    ]);
    expect([foreign.status, foreign.body]).toEqual([422, absent.body]);
    const group = await createGroup(world, bob, 'Other');
    expect(await fieldsOf({ group_id: group.id })).toEqual([422, ['group_id']]);
  });
});
