import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /auth/sessions/{session_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const revoke = (token: string, session_id: string) => world.call(`DELETE /auth/sessions/${session_id}`, { token });

  it('ends another session of the caller at once and emits session.revoked', async () => {
    const { alice } = people;
    const { token, refresh_token, session_id } = await signInAgain(world, alice);
    expect((await world.call('GET /me', { token })).status).toBe(200);
    expect((await revoke(alice.token, session_id)).status).toBe(204);
    const after = await world.call('GET /me', { token });
    expect([after.status, after.body.error.code]).toEqual([401, 'token_invalid']);
    expect((await world.call('POST /auth/refresh', { body: { refresh_token } })).status).toBe(401);
    const events = await world.events(`session:${session_id}`);
    expect(events.filter(({ type }) => type === 'session.revoked')).toEqual([
      { type: 'session.revoked', data: { session_id } },
    ]);
    expect((await world.call('GET /me', { token: alice.token })).status).toBe(200);
    const again = await revoke(alice.token, session_id);
    expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
  });

  it('returns 404 for a session of another account', async () => {
    const { bob, carol } = people;
    const { status, body } = await revoke(bob.token, carol.session_id);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect((await world.call('GET /me', { token: carol.token })).status).toBe(200);
  });

  it('can end the current session', async () => {
    const { token, session_id } = people.bob;
    expect((await revoke(token, session_id)).status).toBe(204);
    expect((await world.call('GET /me', { token })).status).toBe(401);
  });
});
