import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /auth/sessions', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const list = async ({ token }: Persona, query = '') =>
    (await world.call(`GET /auth/sessions${query}`, { token, headers: { 'user-agent': 'the test' } })).body;

  it('lists the active sessions, newest first, and marks the current one', async () => {
    const { alice } = people;
    const second = await signInAgain(world, alice);
    const third = await signInAgain(world, alice);
    const { items, has_more } = await list(second);
    expect(has_more).toBe(false);
    expect(items.map(({ id, current }: { id: string; current: boolean }) => [id, current])).toEqual([
      [third.session_id, false],
      [second.session_id, true],
      [alice.session_id, false],
    ]);
    expect(Object.keys(items[0]).sort()).toEqual(
      ['id', 'device', 'ip', 'created_at', 'last_used_at', 'expires_at', 'current'].sort(),
    );
    expect(items[2].ip).toBe('10.0.0.2');
  });

  it('updates the device, address and time of last use, at most once a minute', async () => {
    await world.clock.advance(61);
    world.app.services.sessions.drop(people.bob.session_id);
    await list(people.bob);
    const { items } = await list(people.bob);
    expect(items[0]).toMatchObject({ device: 'the test', ip: '127.0.0.1' });
    expect(Date.parse(items[0].last_used_at) - Date.parse(items[0].created_at)).toBeGreaterThanOrEqual(60_000);
  });

  it('limits the sessions per account: another sign-in ends the least recently used session', async () => {
    const small = await createWorld({ limits: { sessions: 2 } });
    try {
      const { bob } = people;
      const me = async ({ token }: Persona) => (await small.call('GET /me', { token })).status;
      const second = await signInAgain(small, bob);
      await small.clock.advance(61);
      small.app.services.sessions.drop(bob.session_id);
      // The first session was used again, so it is not the least recently used one.
      expect(await me(bob)).toBe(200);
      const third = await signInAgain(small, bob);
      expect([await me(bob), await me(second), await me(third)]).toEqual([200, 401, 200]);
    } finally {
      await small.close();
    }
  });

  it('paginates, and omits ended sessions', async () => {
    const { carol } = people;
    const second = await signInAgain(world, carol);
    const first_page = await list(carol, '?limit=1');
    expect([first_page.items[0].id, first_page.has_more]).toEqual([second.session_id, true]);
    const second_page = await list(carol, `?before_id=${second.session_id}`);
    expect(second_page.items.map(({ id }: { id: string }) => id)).toEqual([carol.session_id]);
    await world.call('POST /auth/logout', { token: second.token, body: {} });
    expect((await list(carol)).items).toHaveLength(1);
  });
});
