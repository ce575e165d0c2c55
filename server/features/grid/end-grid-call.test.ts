import { expect, it } from 'vitest';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('DELETE /grid/calls ends the call of the grid, and no other call', slow, async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const end = async (token: string) => (await world.call('DELETE /grid/calls', { token })).status;
  await startCall(world, alice, [bob]);
  expect(await end(alice.token)).toBe(404);
  await world.call('DELETE /calls/active', { token: alice.token });
  const contact = await addContact(world, alice, { name: 'Gran', phones: [{ number: '+493012345678' }] });
  await world.call('POST /grid/members', { token: alice.token, body: { contact_id: contact.id } });
  const { body: call } = await world.call('POST /grid/calls', { token: alice.token, body: { privacy: 'public' } });
  await requestGrants(world, call.join_code, bob);
  expect(await end(bob.token)).toBe(404);
  expect(await end(alice.token)).toBe(204);
  expect((await world.call(`GET /calls/${call.join_code}`, { token: alice.token })).body.state).toBe('ended');
  await world.close();
});
