import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/register', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
  });
  afterAll(() => world.close());

  const password = 'a quiet river bend';
  const register = (body: object) => world.call('POST /auth/register', { body: { password, ...body } });

  it('sends a code by e-mail and returns the masked address', async () => {
    const { status, body } = await register({ username: 'Zoe', email: 'Zoe@Example.org' });
    expect(status).toBe(201);
    expect(body).toEqual({
      status: 'code_sent',
      registration_id: expect.stringMatching(/^reg_/),
      channel: 'email',
      sent_to: 'z•••@example.org',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const [letter] = await world.sent('zoe@example.org');
    expect(letter?.code).toMatch(/^\d{6}$/);
    expect(letter?.text).toContain(letter?.code);
  });

  it('sends the code by SMS if only a mobile number is given', async () => {
    const { body } = await register({ username: 'yves', mobile_number: '+1 415 555 2671' });
    expect([body.channel, body.sent_to]).toEqual(['sms', '+14•••••••71']);
    expect((await world.sent('+14155552671'))[0]?.channel).toBe('sms');
  });

  it('requires a valid e-mail address or mobile number', async () => {
    const { status, body } = await register({ username: 'xena' });
    expect([status, Object.keys(body.error.fields).sort()]).toEqual([422, ['email', 'mobile_number']]);
    const invalid = await register({ username: 'xena', mobile_number: '12345' });
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['mobile_number']]);
  });

  it('rejects common passwords and passwords that contain the username', async () => {
    for (const weak of ['password1', 'qwerty123', '12345678', 'xena-is-great']) {
      const { status, body } = await register({ username: 'xena', email: 'xena@example.org', password: weak });
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['password']]);
    }
    expect(await world.sent('xena@example.org')).toEqual([]);
  });

  it('reserves a username for 15 minutes, for one of several concurrent requests', async () => {
    const registerWalt = (email: string) => register({ username: 'walt', email });
    const answers = await Promise.all(['a@w.test', 'b@w.test', 'c@w.test'].map(registerWalt));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('username_taken');
    await world.clock.advance(15 * 60 + 1);
    expect((await registerWalt('d@w.test')).status).toBe(201);
  });

  it('returns 201 for an address in use, and notifies its owner instead of sending a code', async () => {
    const first = await register({ username: 'vera', email: 'vera@example.org' });
    const code = (await world.sent('vera@example.org'))[0]?.code;
    const { registration_id } = first.body;
    const verified = await world.call('POST /auth/register/verify', { body: { registration_id, code } });
    expect(verified.status).toBe(201);
    const again = await register({ username: 'victor', email: 'vera@example.org' });
    expect([again.status, Object.keys(again.body)]).toEqual([201, Object.keys(first.body)]);
    const letters = await world.sent('vera@example.org');
    expect(letters).toHaveLength(2);
    expect(letters[0]?.code).toBeUndefined();
    expect(letters[0]?.text).toContain('already has an account');
  });
});
