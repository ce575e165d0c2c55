import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestCode, password } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/register/resend', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
  });
  afterAll(() => world.close());

  const register = async (username: string) => {
    const email = `${username}@example.org`;
    return (await world.call('POST /auth/register', { body: { username, password, email } })).body;
  };
  const resend = (registration_id: string) => world.call('POST /auth/register/resend', { body: { registration_id } });
  const verify = (registration_id: string, code: string) =>
    world.call('POST /auth/register/verify', { body: { registration_id, code } });

  it('sends a new code and invalidates the previous one', async () => {
    const sent = await register('zoe');
    const old_code = await newestCode(world, 'zoe@example.org');
    const again = await resend(sent.registration_id);
    expect(again.status).toBe(202);
    expect({ ...again.body, expires_at: sent.expires_at }).toEqual(sent);
    const new_code = await newestCode(world, 'zoe@example.org');
    expect(await world.sent('zoe@example.org')).toHaveLength(2);
    expect(new_code).not.toBe(old_code);
    const old = await verify(sent.registration_id, old_code);
    expect([old.status, old.body.error.code]).toEqual([410, 'gone']);
    expect((await verify(sent.registration_id, new_code)).status).toBe(201);
    expect((await resend(sent.registration_id)).status).toBe(410);
  });

  it('sends at most five codes per registration', async () => {
    const { registration_id } = await register('yves');
    for (let at = 0; at < 4; at++) expect((await resend(registration_id)).status).toBe(202);
    const sixth = await resend(registration_id);
    expect([sixth.status, sixth.body.error.code]).toEqual([410, 'gone']);
    expect(await world.sent('yves@example.org')).toHaveLength(5);
  });

  it('sends no code to an address that already has an account', async () => {
    const first = await register('xena');
    await verify(first.registration_id, await newestCode(world, 'xena@example.org'));
    const body = { username: 'xaver', password, email: 'xena@example.org' };
    const second = await world.call('POST /auth/register', { body });
    expect((await resend(second.body.registration_id)).status).toBe(202);
    const letters = await world.sent('xena@example.org');
    expect(letters.map(({ code }) => code !== undefined)).toEqual([false, false, true]);
  });

  it('rejects an unknown registration with 422 and an expired one with 410', async () => {
    const unknown = await resend('reg_unknown');
    expect([unknown.status, Object.keys(unknown.body.error.fields)]).toEqual([422, ['registration_id']]);
    const { registration_id } = await register('walt');
    await world.clock.advance(601);
    expect((await resend(registration_id)).status).toBe(410);
  });
});
