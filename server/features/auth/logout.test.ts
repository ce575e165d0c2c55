import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /auth/logout', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('ends the current session at once, emits session.revoked, and leaves other sessions', async () => {
    const { token, refresh_token, session_id } = people.alice;
    const other = await signInAgain(world, people.alice);
    expect((await world.call('POST /auth/logout', { token, body: {} })).status).toBe(204);
    const after = await world.call('GET /me', { token });
    expect([after.status, after.body.error.code]).toEqual([401, 'token_invalid']);
    const refreshed = await world.call('POST /auth/refresh', { body: { refresh_token } });
    expect([refreshed.status, refreshed.body.error.code]).toEqual([401, 'token_invalid']);
    expect((await world.call('GET /me', { token: other.token })).status).toBe(200);
    const revoked = (await world.events(`session:${session_id}`)).filter(({ type }) => type === 'session.revoked');
    expect(revoked).toEqual([{ type: 'session.revoked', data: { session_id } }]);
    expect(await world.events(`session:${other.session_id}`)).not.toContainEqual(
      expect.objectContaining({ type: 'session.revoked' }),
    );
  });
});
