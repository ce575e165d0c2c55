import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /realtime/grant', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns a URL without secrets and a token that is valid for one minute', async () => {
    const grant = async () => (await world.call('POST /realtime/grant', { token: people.alice.token, body: {} })).body;
    const { url, token, expires_at, last_event_id } = await grant();
    expect(url).toBe('ws://asterism.test/v1/realtime/socket');
    expect(last_event_id).toMatch(/^[\w-]+\.\d+\.\d+$/);
    const left_ms = Date.parse(expires_at) - world.clock.now().getTime();
    expect(left_ms).toBeGreaterThan(50_000);
    expect(left_ms).toBeLessThanOrEqual(60_000);
    expect((await grant()).token).not.toBe(token);
    await world.clock.advance(61);
    const late = await world.call(`GET /realtime/stream?token=${encodeURIComponent(token)}`);
    expect([late.status, late.body.error.code]).toEqual([401, 'token_invalid']);
  });

  it('resumes at the position of a GET, which replies without a session and changes do not name', async () => {
    const { alice } = people;
    const positionOf = async (route: string, options: object) =>
      (await world.call(route, options)).headers['asterism-position'];
    const { last_event_id } = (await world.call('POST /realtime/grant', { token: alice.token, body: {} })).body;
    expect(await positionOf('GET /me', { token: alice.token })).toBe(last_event_id);
    expect(await positionOf('GET /me', {})).toBeUndefined();
    expect(await positionOf('PATCH /me', { token: alice.token, body: { display_name: 'Alice' } })).toBeUndefined();
    expect(await positionOf('GET /auth/username-available?username=nobody', {})).toBeUndefined();
  });
});
