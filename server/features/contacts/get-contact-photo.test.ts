import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreUser, suspendUser } from '../../domain/moderation/suspension.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { drawPhoto, loadPhoto, createContact, uploadPhoto } from '../../testing/samples/photos.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /contact-photos/{photo}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns a WebP image, and 404 for unknown names and path traversal', async () => {
    const id = await createContact(world, people.alice, 'Zoe');
    const { body } = await uploadPhoto(world, people.alice, id, await drawPhoto('red'));
    const shown = await loadPhoto(world, body.photo_url);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(shown.rawPayload.length),
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    for (const name of [`${'0'.repeat(26)}-${'a'.repeat(32)}.webp`, '..%2f..%2fpostgresql.conf', 'x.webp'])
      expect((await world.call(`GET /contact-photos/${name}`)).status).toBe(404);
  });

  it('has a name that cannot be derived from the image', async () => {
    const red = await drawPhoto('red');
    const namesOf = async (who: Persona) => {
      const { body } = await uploadPhoto(world, who, await createContact(world, who, 'Zoe'), red);
      return String(body.photo_url.split('/').at(-1)).split('-');
    };
    const [of_alice, of_carol] = [await namesOf(people.alice), await namesOf(people.carol)];
    expect(of_alice[1]).not.toBe(of_carol[1]);
    expect((await world.call(`GET /contact-photos/${of_alice[0]}-${of_carol[1]}`)).status).toBe(404);
  });

  it('returns 404 while the owner of the contact is suspended', async () => {
    const id = await createContact(world, people.bob, 'Zoe');
    const { body } = await uploadPhoto(world, people.bob, id, await drawPhoto('blue'));
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'bob', motive);
    expect((await loadPhoto(world, body.photo_url)).statusCode).toBe(404);
    await restoreUser(world.app.services, 'bob', motive);
    expect((await loadPhoto(world, body.photo_url)).statusCode).toBe(200);
  });
});
