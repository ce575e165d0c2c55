import { parseSetCookie } from 'cookie';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, register } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const cookie_headers = { 'asterism-session': 'cookie' };

describe('the refresh token of a browser', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' }, peopled: false });
  });
  afterAll(() => world.close());

  const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
    [headers['set-cookie'] ?? []].flat().map(String);
  const refreshCookieOf = (answer: { headers: Record<string, unknown> }) =>
    cookiesOf(answer).find((header) => header.startsWith('asterism_refresh=')) ?? '';
  const signIn = async (name: string, headers: Record<string, string>) => {
    const body = { username: name, password };
    const started = await world.call('POST /auth/login', { body, headers });
    expect(cookiesOf(started)).toEqual([]);
    const code = (await world.sent(`${name}@example.org`))[0]?.code;
    return world.call('POST /auth/login/verify', { body: { login_id: started.body.login_id, code }, headers });
  };
  const refresh = (cookie: string, headers: Record<string, string> = cookie_headers) =>
    world.call('POST /auth/refresh', { body: {}, headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } });

  it('is an HttpOnly cookie and not in the body, from sign-in to sign-out', async () => {
    await register(world, 'ada', 1);
    const signed_in = await signIn('ada', cookie_headers);
    expect(signed_in.body.refresh_token).toBeUndefined();
    const { value, maxAge, ...attributes } = parseSetCookie(refreshCookieOf(signed_in));
    expect(value).toMatch(/^ast_\w{49}$/);
    expect([Number(maxAge) > 5_183_900, Number(maxAge) <= 5_184_000]).toEqual([true, true]);
    expect(attributes).toEqual({
      name: 'asterism_refresh',
      path: '/v1/auth/refresh',
      httpOnly: true,
      sameSite: 'strict',
    });
    const renewed = await refresh(refreshCookieOf(signed_in));
    expect([renewed.status, renewed.body.session_id]).toEqual([200, signed_in.body.session_id]);
    expect(renewed.body.refresh_token).toBeUndefined();
    expect(refreshCookieOf(renewed)).not.toBe(refreshCookieOf(signed_in));
    const signed_out = await world.call('POST /auth/logout', {
      token: renewed.body.token,
      body: {},
      headers: cookie_headers,
    });
    expect([signed_out.status, parseSetCookie(refreshCookieOf(signed_out))]).toEqual([
      204,
      { ...attributes, value: '', maxAge: 0 },
    ]);
    expect((await refresh(refreshCookieOf(renewed))).status).toBe(401);
  });

  it('is only accepted with a header that a form of another site cannot set', async () => {
    await register(world, 'kai', 2);
    const cookie = refreshCookieOf(await signIn('kai', cookie_headers));
    const forged = await refresh(cookie, {});
    expect([forged.status, forged.body.error.fields]).toEqual([422, { refresh_token: 'is required' }]);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('is in the body for other clients', async () => {
    await register(world, 'eve', 3);
    const signed_in = await signIn('eve', {});
    expect([signed_in.body.refresh_token.slice(0, 4), cookiesOf(signed_in)]).toEqual(['ast_', []]);
    const body = { refresh_token: signed_in.body.refresh_token };
    expect((await world.call('POST /auth/refresh', { body })).body.refresh_token).toMatch(/^ast_/);
  });

  it('ends the session when it is reused after its successor was used', async () => {
    await register(world, 'zoe', 4);
    const first = refreshCookieOf(await signIn('zoe', cookie_headers));
    const second = await refresh(first);
    const third = await refresh(refreshCookieOf(second));
    expect((await world.call('GET /me', { token: third.body.token })).status).toBe(200);
    expect((await refresh(first)).status).toBe(401);
    expect((await world.call('GET /me', { token: third.body.token })).status).toBe(401);
  });
});

describe('behind TLS', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { PUBLIC_URL: 'https://asterism.test' }, peopled: false });
  });
  afterAll(() => world.close());

  it('cookies are Secure, and Strict-Transport-Security is sent', async () => {
    const { headers } = await world.call('GET /health/live');
    expect(headers['strict-transport-security']).toBe('max-age=63072000');
    const started = await world.call('POST /auth/register', {
      body: { username: 'ada', password, email: 'a@example.org' },
    });
    const code = (await world.sent('a@example.org'))[0]?.code;
    const body = { registration_id: started.body.registration_id, code };
    const signed_in = await world.call('POST /auth/register/verify', { body, headers: cookie_headers });
    const cookies = [signed_in.headers['set-cookie']].flat().map(String);
    expect(cookies).toHaveLength(2);
    for (const header of cookies)
      expect(parseSetCookie(header)).toMatchObject({ httpOnly: true, sameSite: 'strict', secure: true });
  });
});
