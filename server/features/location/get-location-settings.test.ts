import { expect, it } from 'vitest';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('GET /location/settings has mode "off" by default', async () => {
  const world = await createWorld();
  const { status, body } = await world.call('GET /location/settings', { token: findPersonas().alice.token });
  expect([status, body]).toEqual([
    200,
    { mode: 'off', people: [], viewers: [], precision: 'approximate', expires_at: null },
  ]);
  await world.close();
});
