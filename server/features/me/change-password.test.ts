import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, newestLinkToken, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /me/password', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const new_test_password = 'a brand new meadow';
  const change = (token: string, current_password: string, new_password = new_test_password) =>
    world.call('PUT /me/password', { token, body: { current_password, new_password } });

  it('ends all sessions and returns a new one', async () => {
    const { alice } = people;
    const other = await signInAgain(world, alice);
    const { status, body } = await change(alice.token, alice.password);
    expect([status, body.user.username]).toEqual([200, 'alice']);
    for (const { token, session_id } of [alice, other]) {
      expect((await world.call('GET /me', { token })).status).toBe(401);
      expect(await world.events(`session:${session_id}`)).toContainEqual({
        type: 'session.revoked',
        data: { session_id },
      });
    }
    const { items } = (await world.call('GET /auth/sessions', { token: body.token })).body;
    expect(items).toEqual([expect.objectContaining({ id: body.session_id, current: true })]);
    const login = (password: string) => world.call('POST /auth/login', { body: { username: 'alice', password } });
    expect((await login(alice.password)).body.error.code).toBe('invalid_credentials');
    expect((await login(new_test_password)).status).toBe(200);
  });

  it('names the invalid field', async () => {
    const { token, password } = people.bob;
    const wrong = await change(token, 'not my password');
    expect([wrong.status, Object.keys(wrong.body.error.fields)]).toEqual([422, ['current_password']]);
    for (const weak of ['password1', 'bob-is-my-name', 'short']) {
      const refused = await change(token, password, weak);
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['new_password']]);
    }
    expect((await world.call('GET /me', { token })).status).toBe(200);
  });

  it('accepts one of several concurrent changes', async () => {
    const { token, password } = people.carol;
    const new_passwords = ['first quiet meadow', 'second quiet meadow', 'third quiet meadow'];
    const answers = await Promise.all(new_passwords.map((new_password) => change(token, password, new_password)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const winner = winners[0]?.body;
    expect((await world.call('GET /auth/sessions', { token: winner.token })).body.items).toHaveLength(1);
  });

  it('cancels sign-ins that were started with the previous password', async () => {
    const { bob } = people;
    const { login_id } = (await world.call('POST /auth/login', { body: { username: 'bob', password: bob.password } }))
      .body;
    const code = await newestCode(world, bob.email);
    expect((await change(bob.token, bob.password)).status).toBe(200);
    const late = await world.call('POST /auth/login/verify', { body: { login_id, code } });
    expect([late.status, late.body.error?.code]).toEqual([410, 'gone']);
  });

  it('invalidates open links that sign in or reset the password, of this account only', async () => {
    const { bob, carol } = people;
    const linkTo = async (path: string, body: object, email: string) => {
      await world.call(`POST /auth/${path}`, { body });
      return newestLinkToken(world, email);
    };
    const magic = await linkTo('magic-link', { email: bob.email }, bob.email);
    const reset = await linkTo('forgot', { identifier: 'bob' }, bob.email);
    const other = await linkTo('magic-link', { email: carol.email }, carol.email);
    expect((await change(bob.token, bob.password)).status).toBe(200);
    const consume = (token: string) => world.call('POST /auth/magic-link/consume', { body: { token } });
    expect([(await consume(magic)).status, (await consume(other)).status]).toEqual([410, 200]);
    const late = await world.call('POST /auth/reset', { body: { token: reset, password: 'an older quiet meadow' } });
    expect([late.status, late.body.error.code]).toEqual([410, 'gone']);
    const fresh = await linkTo('magic-link', { email: bob.email }, bob.email);
    expect((await consume(fresh)).status).toBe(200);
  });

  it('keeps open links when the current password is wrong', async () => {
    const { bob } = people;
    await world.call('POST /auth/magic-link', { body: { email: bob.email } });
    const token = await newestLinkToken(world, bob.email);
    expect((await change(bob.token, 'not my password')).status).toBe(422);
    expect((await world.call('POST /auth/magic-link/consume', { body: { token } })).status).toBe(200);
  });
});
