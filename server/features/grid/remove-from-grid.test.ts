import { expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('DELETE /grid/members/{contact_id} moves the following members up', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) ids.push((await addContact(world, alice, { name })).id);
  for (const contact_id of ids) await world.call('POST /grid/members', { token: alice.token, body: { contact_id } });
  const remove = async (token: string) => (await world.call(`DELETE /grid/members/${ids[1]}`, { token })).status;
  expect([await remove(bob.token), await remove(alice.token), await remove(alice.token)]).toEqual([404, 204, 404]);
  const { body } = await world.call('GET /grid', { token: alice.token });
  expect(body.members).toMatchObject([
    { contact: { name: 'One' }, position: 0 },
    { contact: { name: 'Three' }, position: 1 },
  ]);
  await world.close();
});
