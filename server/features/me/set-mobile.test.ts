import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, register, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /me/mobile', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const set = (token: string, mobile_number: string) =>
    world.call('PUT /me/mobile', { token, body: { mobile_number } });

  it('normalises the number, marks it unverified at once, and sends nothing', async () => {
    const { token } = people.alice;
    expect((await world.call('GET /xtags', { token })).status).toBe(200);
    const { status, body } = await set(token, '+1 (415) 555-2671');
    expect([status, body]).toEqual([200, { mobile_number: '+14155552671', mobile_verified: false }]);
    const gate = await world.call('GET /xtags', { token });
    expect([gate.status, gate.body.error.code]).toEqual([403, 'mobile_unverified']);
    expect(await world.sent('+14155552671')).toEqual([]);
    expect((await world.events(`session:${people.alice.session_id}`)).at(-1)?.type).toBe('session.changed');
  });

  it('invalidates a code that was sent to the previous number', async () => {
    const { token } = people.uma;
    await set(token, '+14155552672');
    await world.call('POST /me/mobile/codes', { token, body: {} });
    const code = await newestCode(world, '+14155552672');
    await set(token, '+14155552673');
    const verified = await world.call('POST /me/mobile/verify', { token, body: { code } });
    expect([verified.status, verified.body.error.code]).toEqual([410, 'gone']);
  });

  it('rejects numbers that are not in international form', async () => {
    for (const invalid of ['hello', '4155552671', '+1415', `+${'1'.repeat(20)}`]) {
      const { status, body } = await set(people.bob.token, invalid);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['mobile_number']]);
    }
    expect((await world.call('GET /xtags', { token: people.bob.token })).status).toBe(200);
  });

  it('does not reveal that a number belongs to another account', async () => {
    expect((await set(people.carol.token, people.bob.mobile_number)).status).toBe(200);
    expect((await world.call('GET /me/mobile', { token: people.bob.token })).body.mobile_verified).toBe(true);
  });

  it('has a budget, since each is announced to all sessions', async () => {
    const undecided = await register(world, 'undecided', 20);
    await world.app.services.throttle.consume('mobile_number', undecided.id, 29);
    expect((await set(undecided.token, '+14155552673')).body.error.code).toBe('rate_limited');
  });
});
