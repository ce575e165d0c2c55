import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { drawPhoto, loadPhoto, createContact, uploadPhoto } from '../../testing/samples/photos.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /contacts/{contact_id}/photo', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('removes the photo, only for the owner of the contact, idempotently', async () => {
    const { alice, bob } = people;
    const id = await createContact(world, alice, 'Zoe');
    const { body: set } = await uploadPhoto(world, alice, id, await drawPhoto('red'));
    const remove = (token: string) => world.call(`DELETE /contacts/${id}/photo`, { token });
    expect((await remove(bob.token)).status).toBe(404);
    expect((await loadPhoto(world, set.photo_url)).statusCode).toBe(200);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await remove(alice.token);
      expect([status, body.name, body.photo_url]).toEqual([200, 'Zoe', null]);
    }
    const { body: shown } = await world.call(`GET /contacts/${id}`, { token: alice.token });
    expect(shown.photo_url).toBeNull();
  });
});
