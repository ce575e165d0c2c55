import { expect, it } from 'vitest';
import { startCall } from '../../testing/steps/calls.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('GET /inbox/unread-count returns the number of unread messages of the caller', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const count = async (token: string) => (await world.call('GET /inbox/unread-count', { token })).body;
  await startCall(world, alice, [bob]);
  await world.call('DELETE /calls/active', { token: alice.token });
  await startCall(world, carol, [bob]);
  await world.call('DELETE /calls/active', { token: carol.token });
  expect([await count(bob.token), await count(alice.token)]).toEqual([{ count: 2 }, { count: 0 }]);
  await world.close();
});
