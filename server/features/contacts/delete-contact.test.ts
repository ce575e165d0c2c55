import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /contacts/{contact_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('deletes a contact and emits contact.deleted to the devices of the owner', async () => {
    const { alice } = people;
    const contact = await addContact(world, alice, { phones: [{ number: '+14155550190' }] });
    const remove = () => world.call(`DELETE /contacts/${contact.id}`, { token: alice.token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).body.error.code).toBe('not_found');
    expect(await itemsOf(world, '/contacts', alice)).toEqual([]);
    const last = (await world.events(`user:${alice.id}`)).at(-1);
    expect(last).toEqual({ type: 'contact.deleted', data: { id: contact.id } });
  });

  it('is done for all contacts when the account is deleted', async () => {
    const dora = await register(world, 'dora', 50);
    await addContact(world, dora, { phones: [{ number: '+14155550190' }] });
    await world.call('DELETE /me', { token: dora.token, body: { password: dora.password } });
    await world.settle();
    for (const table of ['contacts', 'contact_addresses', 'contact_counts']) {
      const { rows } = await world.app.services.db.native.query(`select 1 from ${table} where owner_id = $1`, [
        dora.id,
      ]);
      expect(rows).toEqual([]);
    }
  });
});
