import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyPlus } from '../../testing/steps/billing.ts';
import { inSeconds, place, reportPosition, changeSharing } from '../../testing/steps/location.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /location/links', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const createLink = ({ token }: Persona, body: Record<string, unknown> = {}) =>
    world.call('POST /location/links', { token, body: { expires_at: inSeconds(world, 3600), ...body } });
  const open = (url: string) => world.call(`GET /public-links/${url.split('/').at(-1)}`);

  it('gives access to a position without an account, until it is revoked', async () => {
    const { alice } = people;
    const created = await createLink(alice);
    expect([created.status, created.body]).toMatchObject([201, { precision: 'exact', view_count: 0 }]);
    expect(created.body.url).toMatch(/^http:\/\/asterism\.test\/l\/[\w-]{20,}$/);
    const waiting = await open(created.body.url);
    expect([waiting.status, waiting.body.kind, waiting.body.latitude]).toEqual([200, 'location', null]);
    // A link alone is enough for position reports to be accepted.
    expect((await reportPosition(world, alice)).status).toBe(204);
    const seen = await open(created.body.url);
    expect(seen.body).toMatchObject({ kind: 'location', user: { username: 'alice' }, ...place, accuracy_m: 8 });
    expect(seen.body.expires_at).toBe(created.body.expires_at);
    const [listed] = (await world.call('GET /location/links', { token: alice.token })).body.items;
    expect(listed).toEqual({ ...created.body, view_count: 1 });
    expect((await world.call(`DELETE /location/links/${created.body.id}`, { token: alice.token })).status).toBe(204);
    const gone = await open(created.body.url);
    const never = await open('/l/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    expect([gone.status, gone.body]).toEqual([410, never.body]);
    expect((await reportPosition(world, alice)).body.error.code).toBe('not_sharing');
  });

  it('shows approximate positions by an approximate link, and none reported before its creation', async () => {
    const { bob } = people;
    await changeSharing(world, bob, { mode: 'followers', precision: 'exact' });
    await reportPosition(world, bob);
    await advanceSeconds(world, 60);
    const { url } = (await createLink(bob, { precision: 'approximate' })).body;
    expect((await open(url)).body.latitude).toBe(null);
    await reportPosition(world, bob);
    expect((await open(url)).body).toMatchObject({ precision: 'approximate', accuracy_m: 750 });
  });

  it('requires an end within 24 hours and expires then', async () => {
    const { bob } = people;
    for (const expires_at of [inSeconds(world, 86_400 + 60), inSeconds(world, -1), 'soon'])
      expect(Object.keys((await createLink(bob, { expires_at })).body.error.fields)).toEqual(['expires_at']);
    const { url } = (await createLink(bob, { expires_at: inSeconds(world, 120) })).body;
    await advanceSeconds(world, 120);
    expect((await open(url)).status).toBe(410);
  });

  it('enforces the plan limit, also for concurrent requests', async () => {
    const { carol } = people;
    const answers = await Promise.all([1, 2, 3, 4].map(() => createLink(carol)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body.error.code).toBe('plan_limit_reached');
    const used = async () => (await world.call('GET /billing/entitlements', { token: carol.token })).body.used;
    expect((await used()).location_links).toBe(2);
    await advanceSeconds(world, 3600);
    expect((await used()).location_links).toBe(0);
    await buyPlus(world, carol);
    for (let at = 0; at < 3; at++) expect((await createLink(carol)).status).toBe(201);
  });
});
