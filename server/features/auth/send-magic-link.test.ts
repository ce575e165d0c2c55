import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionClock, findPersonas, type Personas } from '../../testing/world/personas.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/magic-link', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    await startBudgetWindow(sessionClock(world));
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const requestLink = (email: string) => world.call('POST /auth/magic-link', { body: { email } });

  it('sends a link with the public origin to the owner of an e-mail address', async () => {
    const { status, body } = await requestLink('Alice@Example.org');
    expect([status, body]).toEqual([202, { status: 'accepted' }]);
    const [letter] = await world.sent(people.alice.email);
    expect(letter?.links).toEqual([expect.stringMatching(/^http:\/\/asterism\.test\/app\/magic\?token=ast_/)]);
    expect(letter?.text).toContain(letter?.links[0]);
    expect(letter?.code).toBeUndefined();
  });

  it('returns the same 202 for an unknown address and sends nothing', async () => {
    const known = await requestLink(people.bob.email);
    const unknown = await requestLink('nobody@example.org');
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await world.sent('nobody@example.org')).toEqual([]);
  });

  it('consumes the budget of an address whether or not it is known', async () => {
    for (const email of ['nobody@else.test', people.carol.email]) {
      const statuses = [];
      for (let at = 0; at < 6; at++) statuses.push((await requestLink(email)).status);
      expect(statuses.slice(0, 4)).toEqual([202, 202, 202, 202]);
      expect(statuses[5]).toBe(429);
    }
  });

  it('does not affect sign-in by password when its budget is exhausted', async () => {
    const { username, password, email } = people.alice;
    for (let at = 0; at < 6; at++) await requestLink(email);
    expect((await requestLink(email)).status).toBe(429);
    const login = () => world.call('POST /auth/login', { body: { username, password }, ip: '10.8.0.1' });
    const started = await login();
    expect([started.status, started.body.status]).toEqual([200, 'otp_required']);
    const again = await world.call('POST /auth/login/resend', { body: { login_id: started.body.login_id } });
    expect(again.status).toBe(202);
    const statuses = [];
    for (let at = 0; at < 4; at++) statuses.push((await login()).status);
    // Sign-in codes have a separate budget.
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
