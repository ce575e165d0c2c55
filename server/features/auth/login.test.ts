import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sessionClock,
  findPersonas,
  newestCode,
  password,
  register,
  type Personas,
} from '../../testing/world/personas.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/login', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    await startBudgetWindow(sessionClock(world));
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const login = (username: string, ip: string, more: object = {}) =>
    world.call('POST /auth/login', { body: { username, password, ...more }, ip });

  /** Registers a user with a mobile number and no e-mail address. */
  async function registerYves(): Promise<void> {
    const body = { username: 'yves', password, mobile_number: '+14155552671' };
    const { registration_id } = (await world.call('POST /auth/register', { body })).body;
    const code = await newestCode(world, '+14155552671');
    await world.call('POST /auth/register/verify', { body: { registration_id, code } });
  }

  it('signs in without a code if the account has no e-mail address', async () => {
    await registerYves();
    const signed_in = await login('yves', '10.1.0.1');
    expect(signed_in.status).toBe(200);
    expect(signed_in.body.user.username).toBe('yves');
    expect((await world.call('GET /me', { token: signed_in.body.token })).status).toBe(200);
    expect((await login('+1 415 555 2671', '10.1.0.1')).body.user.username).toBe('yves');
  });

  it('requires a code sent by e-mail if the account has an address, for every identifier', async () => {
    for (const name of ['alice', 'ALICE', 'Alice@Example.org']) {
      const { status, body } = await login(name, '10.1.0.2');
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'otp_required',
        login_id: expect.stringMatching(/^log_/),
        channel: 'email',
        sent_to: 'a•••@example.org',
        expires_at: expect.stringMatching(/Z$/),
      });
    }
    expect(await newestCode(world, people.alice.email)).toMatch(/^\d{6}$/);
  });

  it('returns the same 401 for a wrong password and an unknown name, and sends nothing', async () => {
    const before = (await world.sent(people.bob.email)).length;
    const wrong = await login('bob', '10.1.0.3', { password: 'not my password' });
    const unknown = await login('nobody', '10.1.0.3');
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'invalid_credentials']);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    expect(await world.sent(people.bob.email)).toHaveLength(before);
  });

  it('does not accept an unverified mobile number as identifier', async () => {
    const { token } = people.uma;
    await world.call('PUT /me/mobile', { token, body: { mobile_number: '+14155550077' } });
    expect((await login('+14155550077', '10.1.0.4')).status).toBe(401);
  });

  it('allows 10 failed attempts per account and network in 15 minutes, and does not lock out other networks', async () => {
    const guess = (ip: string) => login('carol', ip, { password: 'not my password' });
    for (let at = 1; at <= 10; at++) expect((await guess('10.2.0.1')).status).toBe(401);
    const refused = await guess('10.2.0.1');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login('carol', '10.2.0.1')).status).toBe(429);
    expect((await login('carol', '10.2.0.2')).status).toBe(200);
    for (let at = 1; at <= 10; at++) expect((await guess(`2001:db8:1:2::${at}`)).status).toBe(401);
    expect((await guess('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await guess('2001:db8:1:3::1')).status).toBe(401);
  });

  it('allows 100 failed attempts per account from unknown networks, and does not lock out known networks', async () => {
    const dora = await register(world, 'dora', 300);
    const guess = (at: number) => login('dora', `10.5.${at % 250}.1`, { password: 'not my password' });
    for (let at = 1; at <= 100; at++) expect((await guess(at)).status).toBe(401);
    expect((await login('dora', '10.6.0.1')).status).toBe(429);
    const { body } = await world.call('GET /auth/sessions', { token: dora.token });
    expect((await login('dora', body.items[0].ip)).status).toBe(200);
  });

  it('allows sign-in on a known device while attempts from its network are rate limited', async () => {
    const ip = '10.7.0.1';
    const headers = { 'asterism-session': 'cookie' };
    const started = await world.call('POST /auth/login', { body: { username: 'carol', password }, headers, ip });
    const code = (await world.sent(people.carol.email))[0]?.code;
    const body = { login_id: started.body.login_id, code };
    const signed_in = await world.call('POST /auth/login/verify', { body, headers, ip });
    const cookies = [signed_in.headers['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0]);
    const device = cookies.find((cookie) => cookie?.startsWith('asterism_device=')) ?? '';
    for (let at = 1; at <= 10; at++) await login('carol', ip, { password: 'not my password' });
    expect((await login('carol', ip)).status).toBe(429);
    const from = (cookie: string, typed_password = password) =>
      world.call('POST /auth/login', {
        body: { username: 'carol', password: typed_password },
        headers: { ...headers, cookie },
        ip,
      });
    expect((await from(device)).status).toBe(200);
    // A forged device cookie, or one of another account, is ignored.
    expect((await from(device.slice(0, -2))).status).toBe(429);
    expect((await from(device.replace(people.carol.id, people.bob.id))).status).toBe(429);
    for (let at = 1; at <= 9; at++) expect((await from(device, 'not my password')).status).toBe(401);
    expect((await from(device)).status).toBe(429);
  });

  it('does not count attempts that were rejected with 503 because hashing was at capacity', async () => {
    const { hashing, limits } = world.app.services;
    const gate = Promise.withResolvers<void>();
    const busy = Array.from({ length: limits.hashing_running + limits.hashing_waiting }, () =>
      hashing.run(randomUUID(), () => gate.promise),
    );
    const settled = Promise.allSettled(busy);
    for (let at = 1; at <= 12; at++) expect((await login('carol', '10.8.0.1')).status).toBe(503);
    gate.resolve();
    await settled;
    expect((await login('carol', '10.8.0.1')).status).toBe(200);
  });

  it('waits for its turn among networks, however many attempts come from one', async () => {
    const { hashing } = world.app.services;
    const gate = Promise.withResolvers<void>();
    const flood = Array.from({ length: 200 }, () => hashing.run('192.0.2.1', () => gate.promise));
    const settled = Promise.allSettled(flood);
    const other = login('carol', '198.51.100.1');
    gate.resolve();
    expect((await other).status).toBe(200);
    expect((await settled).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(100);
  });

  it('counts attempts per account, however the identifier is spelled', async () => {
    const spellings = [' alice', 'ALICE', 'alice\t', '\u00a0alice', 'alice'];
    for (let at = 1; at <= 10; at++) {
      const name = spellings[at % spellings.length] ?? '';
      await login(name, '10.3.0.1', { password: 'not my password' });
    }
    expect((await login(' Alice ', '10.3.0.1')).status).toBe(429);
    const numbers = ['+1 415 555 2671', '+14155552671', '+1 (415) 555-2671'];
    for (let at = 1; at <= 10; at++) await login(numbers[at % 3] ?? '', '10.4.0.1', { password: 'not mine' });
    expect((await login('+1-415-555-2671', '10.4.0.1')).status).toBe(429);
  });

  it('rejects a password that is changed during its verification', async () => {
    const { services } = world.app;
    const { hashing } = services;
    await registerYves();
    const started = (await login('yves', '10.1.0.5')).body;
    const body = { current_password: password, new_password: 'a brand new meadow' };
    let changed: Promise<unknown> | undefined;
    services.hashing = {
      ...hashing,
      async run<T>(client: string, work: () => Promise<T>): Promise<T> {
        const result = await hashing.run(client, work);
        services.hashing = hashing;
        changed = world.call('PUT /me/password', { token: started.token, body });
        await changed;
        return result;
      },
    };
    const late = await login('yves', '10.1.0.6');
    expect(await changed).toMatchObject({ status: 200 });
    expect([late.status, late.body.error?.code]).toEqual([401, 'invalid_credentials']);
  });
});
