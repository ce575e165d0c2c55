import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change } from '../../kernel/services.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { drawPhoto, loadPhoto, createContact, uploadPhoto } from '../../testing/samples/photos.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { lifecycle } from './lifecycle.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('PUT /contacts/{contact_id}/photo', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const rows = async () => (await world.app.services.db.native.query('select key from contact_photos')).rowCount;

  /** Lets photos expire as if hours had passed. */
  const sweep = async () => {
    await world.app.services.db.native.query(`update contact_photos set checked_at = checked_at - interval '3 hours'`);
    await change(world.app.services, async (tx) => lifecycle.expire?.(tx, 100));
    await world.settle();
  };

  it('re-encodes, replaces and removes photos', async () => {
    const { alice } = people;
    const id = await createContact(world, alice, 'Zoe');
    const first = await uploadPhoto(world, alice, id, await drawPhoto('red'));
    expect([first.status, first.body.name]).toEqual([200, 'Zoe']);
    const shown = await loadPhoto(world, first.body.photo_url);
    expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable']);
    const image = await sharp(shown.rawPayload).metadata();
    expect([image.format, image.width, image.height, image.exif]).toEqual(['webp', 512, 512, undefined]);
    const second = await uploadPhoto(world, alice, id, await drawPhoto('blue'));
    expect(second.body.photo_url).not.toBe(first.body.photo_url);
    const { body: listed } = await world.call('GET /contacts', { token: alice.token });
    expect(listed.items.find((item: { id: string }) => item.id === id).photo_url).toBe(second.body.photo_url);
    const removed = await world.call(`DELETE /contacts/${id}/photo`, { token: alice.token });
    expect([removed.status, removed.body.photo_url]).toEqual([200, null]);
    // Unreferenced photos are deleted within hours, together with their files.
    await sweep();
    expect(await rows()).toBe(0);
    expect(await Array.fromAsync(world.app.services.blobs.list('contact-photos/'))).toEqual([]);
    expect((await loadPhoto(world, second.body.photo_url)).statusCode).toBe(404);
  });

  it('counts photos towards the storage of the account, once each, until they are removed', async () => {
    const { bob } = people;
    const { native } = world.app.services.db;
    const stored = async () =>
      Number((await native.query('select storage_bytes from users where id = $1', [bob.id])).rows[0].storage_bytes);
    const before = await stored();
    const [first, second] = [await createContact(world, bob, 'Una'), await createContact(world, bob, 'Vic')];
    await uploadPhoto(world, bob, first, await drawPhoto('green'));
    const after_one = await stored();
    expect(after_one).toBeGreaterThan(before);
    await uploadPhoto(world, bob, second, await drawPhoto('green'));
    expect(await stored()).toBe(after_one);
    await native.query('update users set storage_bytes = 500000000 - 10 where id = $1', [bob.id]);
    const refused = await uploadPhoto(world, bob, first, await drawPhoto('yellow'));
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_reached']);
    await native.query('update users set storage_bytes = $2 where id = $1', [bob.id, after_one]);
    for (const id of [first, second]) await world.call(`DELETE /contacts/${id}/photo`, { token: bob.token });
    await sweep();
    expect(await stored()).toBe(before);
  });

  it('returns 404 for a contact of another user, 422 for invalid images and 413 for large files', async () => {
    const { alice, bob } = people;
    const id = await createContact(world, alice, 'Yann');
    expect((await uploadPhoto(world, bob, id, await drawPhoto('red'))).status).toBe(404);
    const { status, body } = await uploadPhoto(world, alice, id, Buffer.from('no picture'));
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    expect((await uploadPhoto(world, alice, id, Buffer.alloc(6 * 1024 * 1024))).status).toBe(413);
  });

  it('imports photos from vCards, keeps them while referenced, and removes them on rollback', slow, async () => {
    const { carol } = people;
    const { token } = carol;
    const jpeg = (await drawPhoto('green')).toString('base64');
    const fold = (line: string) => line.replaceAll(/.{70}/g, '$&\r\n ');
    const card = (version: string, name: string, photo: string) =>
      ['BEGIN:VCARD', `VERSION:${version}`, `FN:${name}`, fold(photo), 'END:VCARD', ''].join('\r\n');
    const file = [
      card('3.0', 'Ann', `PHOTO;ENCODING=b;TYPE=JPEG:${jpeg}`),
      card('4.0', 'Bea', `PHOTO:data:image/jpeg;base64,${jpeg}`),
      card('4.0', 'Cleo', 'PHOTO:https://example.org/cleo.jpg'),
      card('3.0', 'Dan', `PHOTO;ENCODING=b;TYPE=JPEG:${Buffer.from('no picture').toString('base64')}`),
    ].join('');
    const preview = await world.call('POST /contacts/import/preview', {
      token,
      ...multipart(Buffer.from(file), 'book.vcf', 'text/vcard'),
    });
    expect(preview.body.rows.map(({ errors }: { errors?: object }) => errors)).toEqual([
      undefined,
      undefined,
      undefined,
      { photo: 'is not a readable image' },
    ]);
    const commit = await world.call('POST /contacts/import', { token, body: { preview_id: preview.body.preview_id } });
    expect(commit.status).toBe(201);
    const photosOf = async () => {
      const { body } = await world.call('GET /contacts?sort=name', { token });
      return body.items.map((item: { name: string; photo_url: string | null }) => [item.name, item.photo_url !== null]);
    };
    expect(await photosOf()).toEqual([
      ['Ann', true],
      ['Bea', true],
      ['Cleo', false],
      ['Dan', false],
    ]);
    const again = await world.call('POST /contacts/import/preview', {
      token,
      ...multipart(Buffer.from(file), 'book.vcf', 'text/vcard'),
    });
    expect(again.body.counts).toEqual({ create: 0, update: 0, skip: 4 });
    await sweep();
    const { body } = await world.call('GET /contacts?sort=name', { token });
    expect((await loadPhoto(world, body.items[0].photo_url)).statusCode).toBe(200);
    await world.call(`POST /contacts/imports/${commit.body.id}/rollback`, { token });
    expect(await photosOf()).toEqual([]);
  });
});
