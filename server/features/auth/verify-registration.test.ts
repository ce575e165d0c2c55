import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestCode, password } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/register/verify', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
  });
  afterAll(() => world.close());

  const register = async (username: string, more: object = { email: `${username}@example.org` }) =>
    (await world.call('POST /auth/register', { body: { username, password, ...more } })).body.registration_id;
  const verify = (registration_id: string, code: string) =>
    world.call('POST /auth/register/verify', { body: { registration_id, code } });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('creates the account and returns a session', async () => {
    const registration_id = await register('zoe', { email: 'zoe@example.org', display_name: 'Zoë' });
    const { status, body } = await verify(registration_id, await newestCode(world, 'zoe@example.org'));
    expect(status).toBe(201);
    expect(body.token_type).toBe('bearer');
    expect(body.token).toMatch(/^ast_/);
    expect(body.refresh_token).toMatch(/^ast_/);
    expect(body.user).toMatchObject({
      username: 'zoe',
      display_name: 'Zoë',
      email: 'zoe@example.org',
      email_verified: true,
      mobile_verified: false,
      tier: 'free',
      reach: { message: 'everyone', call: 'everyone', add: 'everyone', find: 'contacts' },
    });
    expect((await world.call('GET /me', { token: body.token })).body.id).toBe(body.user.id);
  });

  it('verifies the mobile number with a code sent by SMS', async () => {
    const registration_id = await register('yves', { mobile_number: '+14155552671' });
    const { body } = await verify(registration_id, await newestCode(world, '+14155552671'));
    expect(body.user).toMatchObject({ mobile_number: '+14155552671', mobile_verified: true, email: null });
    expect((await world.call('GET /xtags', { token: body.token })).status).toBe(200);
  });

  it('rejects the right code with 410 after five wrong ones', async () => {
    const registration_id = await register('xena');
    const code = await newestCode(world, 'xena@example.org');
    for (let at = 0; at < 5; at++) {
      const { status, body } = await verify(registration_id, wrong(code));
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['code']]);
    }
    const sixth = await verify(registration_id, code);
    expect([sixth.status, sixth.body.error.code]).toEqual([410, 'gone']);
  });

  it('creates one account for twenty concurrent verifications', async () => {
    const registration_id = await register('walt');
    const code = await newestCode(world, 'walt@example.org');
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(registration_id, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(410)]);
  });

  it('rejects a code after ten minutes, and a code of another registration', async () => {
    const vera = await register('vera');
    const victor = await register('victor');
    const code = await newestCode(world, 'vera@example.org');
    const victors_code = await newestCode(world, 'victor@example.org');
    if (code !== victors_code) expect((await verify(victor, code)).status).toBe(422);
    await world.clock.advance(601);
    const late = await verify(vera, code);
    expect([late.status, late.body.error.code]).toEqual([410, 'gone']);
    const unknown = await verify('reg_unknown', code);
    expect([unknown.status, Object.keys(unknown.body.error.fields)]).toEqual([422, ['registration_id']]);
  });

  it('assigns an address to the first of two registrations that verify it', async () => {
    const first = await register('ursula', { email: 'shared@example.org' });
    const first_code = await newestCode(world, 'shared@example.org');
    const second = await register('ulrich', { email: 'shared@example.org' });
    const second_code = await newestCode(world, 'shared@example.org');
    expect((await verify(second, second_code)).status).toBe(201);
    const late = await verify(first, first_code);
    expect([late.status, late.body.error.code]).toEqual([409, 'address_taken']);
  });

  it('assigns an address to one of several concurrent registrations', async () => {
    const names = ['theo', 'thea', 'tom', 'tim'];
    const verifications: (() => ReturnType<typeof verify>)[] = [];
    for (const name of names) {
      const id = await register(name, { email: 'same@example.org' });
      const code = await newestCode(world, 'same@example.org');
      verifications.push(() => verify(id, code));
    }
    const answers = await Promise.all(verifications.map((run) => run()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});
