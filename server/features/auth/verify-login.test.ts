import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, newestCode, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/login/verify', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  const login = async ({ username, password }: Persona): Promise<string> =>
    (await world.call('POST /auth/login', { body: { username, password } })).body.login_id;
  const verify = (login_id: string, code: string) =>
    world.call('POST /auth/login/verify', { body: { login_id, code } });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('signs in with the code, which is valid once', async () => {
    const login_id = await login(people.alice);
    const code = await newestCode(world, people.alice.email);
    const { status, body } = await verify(login_id, code);
    expect([status, body.user.username]).toEqual([200, 'alice']);
    expect(body.session_id).not.toBe(people.alice.session_id);
    expect((await world.call('GET /me', { token: body.token })).status).toBe(200);
    const again = await verify(login_id, code);
    expect([again.status, again.body.error.code]).toEqual([410, 'gone']);
  });

  it('creates one session for twenty concurrent verifications', async () => {
    const login_id = await login(people.bob);
    const code = await newestCode(world, people.bob.email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(login_id, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(410)]);
    const { body } = await world.call('GET /auth/sessions', { token: people.bob.token });
    expect(body.items).toHaveLength(2);
  });

  it('rejects the right code with 410 after five wrong ones', async () => {
    const login_id = await login(people.carol);
    const code = await newestCode(world, people.carol.email);
    const guesses = await Promise.all(Array.from({ length: 5 }, () => verify(login_id, wrong(code))));
    expect(guesses.map(({ status, body }) => `${status} ${Object.keys(body.error.fields)}`)).toEqual(
      Array(5).fill('422 code'),
    );
    expect((await verify(login_id, code)).status).toBe(410);
  });

  it('accepts a code only for its own login and for ten minutes', async () => {
    const first = await login(people.carol);
    const first_code = await newestCode(world, people.carol.email);
    const second = await login(people.carol);
    const second_code = await newestCode(world, people.carol.email);
    if (first_code !== second_code) expect((await verify(second, first_code)).status).toBe(422);
    expect((await verify(first, first_code)).status).toBe(200);
    await world.clock.advance(601);
    expect((await verify(second, second_code)).status).toBe(410);
    const unknown = await verify('log_unknown', second_code);
    expect([unknown.status, Object.keys(unknown.body.error.fields)]).toEqual([422, ['login_id']]);
  });
});
