import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, signInAgain, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

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
});
