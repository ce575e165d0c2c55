import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, newestLinkToken, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /auth/sessions', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('ends all sessions of the caller, including the current one, and none of other accounts', async () => {
    const { alice, bob } = people;
    const other = await signInAgain(world, alice);
    expect((await world.call('DELETE /auth/sessions', { token: alice.token })).status).toBe(204);
    for (const { token, refresh_token, session_id } of [alice, other]) {
      const { status, body } = await world.call('GET /me', { token });
      expect([status, body.error.code]).toEqual([401, 'token_invalid']);
      expect((await world.call('POST /auth/refresh', { body: { refresh_token } })).status).toBe(401);
      expect(await world.events(`session:${session_id}`)).toContainEqual({
        type: 'session.revoked',
        data: { session_id },
      });
    }
    expect((await world.call('GET /me', { token: bob.token })).status).toBe(200);
    const back = await signInAgain(world, alice);
    expect((await world.call('GET /auth/sessions', { token: back.token })).body.items).toHaveLength(1);
  });

  it('invalidates open sign-in codes, sign-in links and password reset links', async () => {
    const { carol } = people;
    await world.call('POST /auth/magic-link', { body: { email: carol.email } });
    const magic = await newestLinkToken(world, carol.email);
    await world.call('POST /auth/forgot', { body: { identifier: 'carol' } });
    const reset = await newestLinkToken(world, carol.email);
    const login = await world.call('POST /auth/login', { body: { username: 'carol', password: carol.password } });
    const { login_id } = login.body;
    const code = await newestCode(world, carol.email);
    expect((await world.call('DELETE /auth/sessions', { token: carol.token })).status).toBe(204);
    const late = [
      await world.call('POST /auth/magic-link/consume', { body: { token: magic } }),
      await world.call('POST /auth/reset', { body: { token: reset, password: 'a brand new meadow' } }),
      await world.call('POST /auth/login/verify', { body: { login_id, code } }),
    ];
    expect(late.map(({ status }) => status)).toEqual([410, 410, 410]);
    await signInAgain(world, carol);
  });
});
