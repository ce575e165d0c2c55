import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionClock, findPersonas, newestCode, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/login/resend', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    await startBudgetWindow(sessionClock(world));
    people = findPersonas();
  });
  afterAll(() => world.close());

  const login = async ({ username, password }: Persona) =>
    (await world.call('POST /auth/login', { body: { username, password } })).body;
  const resend = (login_id: string) => world.call('POST /auth/login/resend', { body: { login_id } });
  const verify = (login_id: string, code: string) =>
    world.call('POST /auth/login/verify', { body: { login_id, code } });

  it('sends a new code to the same address and invalidates the previous one', async () => {
    const started = await login(people.alice);
    const old_code = await newestCode(world, people.alice.email);
    const again = await resend(started.login_id);
    expect(again.status).toBe(202);
    expect({ ...again.body, expires_at: started.expires_at }).toEqual(started);
    const new_code = await newestCode(world, people.alice.email);
    expect(new_code).not.toBe(old_code);
    const old = await verify(started.login_id, old_code);
    expect([old.status, old.body.error.code]).toEqual([410, 'gone']);
    expect((await verify(started.login_id, new_code)).status).toBe(200);
  });

  it('is limited by the budget of the recipient; a rejected resend leaves the last code valid', async () => {
    await login(people.bob);
    const { login_id } = await login(people.bob);
    let answer = await resend(login_id);
    let code = '';
    while (answer.status === 202) {
      code = await newestCode(world, people.bob.email);
      answer = await resend(login_id);
    }
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
    expect(await world.sent(people.bob.email)).toHaveLength(5);
    expect((await verify(login_id, code)).status).toBe(200);
  });

  it('rejects used and expired logins with 410, and unknown ones with 422', async () => {
    const { login_id } = await login(people.carol);
    await verify(login_id, await newestCode(world, people.carol.email));
    expect((await resend(login_id)).status).toBe(410);
    const second = await login(people.carol);
    await world.clock.advance(601);
    expect((await resend(second.login_id)).status).toBe(410);
    const unknown = await resend('log_unknown');
    expect([unknown.status, Object.keys(unknown.body.error.fields)]).toEqual([422, ['login_id']]);
  });
});
