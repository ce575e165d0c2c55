import { expect, it } from 'vitest';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('GET /grid is empty initially', async () => {
  const world = await createWorld();
  const { body } = await world.call('GET /grid', { token: findPersonas().alice.token });
  expect(body).toEqual({ members: [], call: null });
  await world.close();
});
