import { expect, it } from 'vitest';
import { inboxOf, startCall } from '../../testing/steps/calls.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('DELETE /inbox/{message_id} removes a message of the caller and emits inbox.deleted', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  await startCall(world, alice, [bob]);
  await world.call('DELETE /calls/active', { token: alice.token });
  const [{ id }] = await inboxOf(world, bob);
  const remove = async (token: string) => (await world.call(`DELETE /inbox/${id}`, { token })).status;
  expect(await remove(alice.token)).toBe(404);
  expect(await remove(bob.token)).toBe(204);
  expect(await inboxOf(world, bob)).toEqual([]);
  expect((await world.events(`user:${bob.id}`)).at(-1)).toEqual({ type: 'inbox.deleted', data: { ids: [id] } });
  expect(await remove(bob.token)).toBe(404);
  await world.close();
});
