import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { restoreUser, suspendUser } from '../../domain/moderation/suspension.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /avatars/{avatar}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns a WebP image without metadata, cacheable for a year', async () => {
    const { alice } = people;
    const create = { width: 60, height: 30, channels: 3 as const, background: 'red' };
    const photo = await sharp({ create })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Alice A.' }, IFD3: { GPSLatitude: '48/1 12/1 0/1' } })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const uploaded = await world.call('POST /me/avatar', { token: alice.token, ...multipart(photo) });
    const url = `/v1${new URL(uploaded.body.avatar_url).pathname.replace('/v1', '')}`;
    const response = await world.app.http.inject({ method: 'GET', url });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(response.rawPayload.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const image = await sharp(response.rawPayload).metadata();
    expect(image).toMatchObject({ format: 'webp', width: 512, height: 512 });
    expect([image.exif, image.xmp, image.icc]).toEqual([undefined, undefined, undefined]);
    expect(response.rawPayload.includes('Alice A.')).toBe(false);
  });

  it('returns 404 for an unknown name and for path traversal', async () => {
    for (const name of [`${'0'.repeat(26)}-${'a'.repeat(32)}.webp`, '..%2f..%2fpostgresql.conf', 'x.webp']) {
      expect((await world.call(`GET /avatars/${name}`)).status).toBe(404);
    }
  });

  it('returns 404 while the owner is suspended', async () => {
    const { bob } = people;
    const create = { width: 8, height: 8, channels: 3 as const, background: 'blue' };
    const photo = await sharp({ create }).png().toBuffer();
    const uploaded = await world.call('POST /me/avatar', { token: bob.token, ...multipart(photo) });
    const route = `GET ${new URL(uploaded.body.avatar_url).pathname.replace('/v1', '')}`;
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'bob', motive);
    expect((await world.call(route)).status).toBe(404);
    await restoreUser(world.app.services, 'bob', motive);
    expect((await world.call(route)).status).toBe(200);
  });
});
