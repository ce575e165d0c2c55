import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { combinePush } from '../../app/push.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /push-token/key', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    const service = { send: () => Promise.resolve('sent' as const), close: () => Promise.resolve() };
    world = await createWorld({ engines: { push: combinePush(new Map([['android', service]]), 'a-key') } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns the supported platforms; devices of other platforms are rejected', async () => {
    const { token } = people.uma;
    const key = await world.call('GET /push-token/key', { token });
    expect([key.status, key.body]).toEqual([200, { vapid_public_key: null, platforms: ['android'] }]);
    const register = async (platform: string) => {
      const body = { platform, token: 'x' };
      const answer = await world.call('POST /push-token', { token: people.alice.token, body });
      return [answer.status, ...Object.keys(answer.body.error?.fields ?? {})];
    };
    expect([await register('ios'), await register('android')]).toEqual([[422, 'platform'], [201]]);
  });
});
