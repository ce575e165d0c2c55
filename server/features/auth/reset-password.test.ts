import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, newestLinkToken, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/reset', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const new_password = 'a brand new meadow';
  const requestLink = async (username: string): Promise<string> => {
    await world.call('POST /auth/forgot', { body: { identifier: username } });
    return newestLinkToken(world, `${username}@example.org`);
  };
  const reset = (token: string, password = new_password) =>
    world.call('POST /auth/reset', { body: { token, password } });

  it('sets the password, ends all sessions and emits session.revoked', async () => {
    const { alice } = people;
    const other = await signInAgain(world, alice);
    const token = await requestLink('alice');
    expect((await reset(token)).status).toBe(204);
    for (const { token: old, session_id } of [alice, other]) {
      expect((await world.call('GET /me', { token: old })).status).toBe(401);
      expect(await world.events(`session:${session_id}`)).toContainEqual({
        type: 'session.revoked',
        data: { session_id },
      });
    }
    const login = (password: string) => world.call('POST /auth/login', { body: { username: 'alice', password } });
    expect((await login(alice.password)).status).toBe(401);
    expect((await login(new_password)).body.status).toBe('otp_required');
    const again = await reset(token);
    expect([again.status, again.body.error.code]).toEqual([410, 'gone']);
  });

  it('invalidates open sign-in links', async () => {
    const { bob } = people;
    await world.call('POST /auth/magic-link', { body: { email: bob.email } });
    const magic = await newestLinkToken(world, bob.email);
    expect((await reset(await requestLink('bob'))).status).toBe(204);
    const late = await world.call('POST /auth/magic-link/consume', { body: { token: magic } });
    expect([late.status, late.body.error?.code]).toEqual([410, 'gone']);
  });

  it('keeps the link valid when the password is rejected', async () => {
    const token = await requestLink('bob');
    for (const weak of ['password1', 'short', 'bob-is-my-name']) {
      const { status, body } = await reset(token, weak);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['password']]);
    }
    expect((await reset(token)).status).toBe(204);
  });

  it('accepts only the newest link, for 30 minutes', async () => {
    const older = await requestLink('carol');
    const newer = await requestLink('carol');
    expect((await reset(older)).status).toBe(410);
    await world.clock.advance(30 * 60 + 1);
    expect((await reset(newer)).status).toBe(410);
    expect((await reset('ast_never_sent')).status).toBe(410);
  });

  it('rejects a sign-in link', async () => {
    await world.call('POST /auth/magic-link', { body: { email: people.carol.email } });
    expect((await reset(await newestLinkToken(world, people.carol.email))).status).toBe(410);
  });

  it('cancels sign-ins that were started with the previous password', async () => {
    const { carol } = people;
    const { login_id } = (
      await world.call('POST /auth/login', { body: { username: 'carol', password: carol.password } })
    ).body;
    const code = await newestCode(world, carol.email);
    expect((await reset(await requestLink('carol'))).status).toBe(204);
    const late = await world.call('POST /auth/login/verify', { body: { login_id, code } });
    expect([late.status, late.body.error?.code]).toEqual([410, 'gone']);
  });
});
