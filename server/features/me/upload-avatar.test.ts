import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { blankPng } from '../../testing/samples/media.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /me/avatar', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const upload = ({ token }: Persona, bytes: Buffer, filename?: string, type?: string) =>
    world.call('POST /me/avatar', { token, ...multipart(bytes, filename, type) });
  const draw = (width: number, height: number, background = 'red') =>
    sharp({ create: { width, height, channels: 3, background } });
  const pathOf = (avatar_url: string) => new URL(avatar_url).pathname.replace('/v1', '');

  it('stores a square image and returns its URL', async () => {
    const { status, body } = await upload(people.alice, await draw(300, 100).png().toBuffer());
    expect(status).toBe(201);
    expect(body.avatar_url).toMatch(/^http:\/\/asterism\.test\/v1\/avatars\/[0-9a-z]{26}-[0-9a-f]{32}\.webp$/);
    expect((await world.call('GET /me', { token: people.alice.token })).body.avatar_url).toBe(body.avatar_url);
    expect((await world.call(`GET ${pathOf(body.avatar_url)}`)).status).toBe(200);
  });

  it('detects the type by content, not by name, and rejects invalid images', async () => {
    const jpeg = await draw(40, 40).jpeg().toBuffer();
    expect((await upload(people.bob, jpeg, 'notes.txt', 'text/plain')).status).toBe(201);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const bytes of [Buffer.from('not a picture'), svg, Buffer.alloc(0), jpeg.subarray(0, 200)]) {
      const { status, body } = await upload(people.bob, bytes);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
    }
  });

  it('rejects a small file that decompresses to a huge image', async () => {
    const bomb = blankPng(20_000);
    expect(bomb.length).toBeLessThan(100_000);
    expect((await upload(people.bob, blankPng(200))).status).toBe(201);
    const { status, body } = await upload(people.bob, bomb);
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
  });

  it('accepts up to 5 MiB, and rejects more with 413', slow, async () => {
    const image = await draw(20, 20).png().toBuffer();
    const padded = (size: number) => Buffer.concat([image, Buffer.alloc(size - image.length)]);
    expect((await upload(people.carol, padded(5 * 1024 * 1024))).status).toBe(201);
    const { status, body } = await upload(people.carol, padded(5 * 1024 * 1024 + 1));
    expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it('requires one part named "file"', async () => {
    const { token } = people.uma;
    const json = await world.call('POST /me/avatar', { token, body: {} });
    expect([json.status, json.body.error.code]).toEqual([415, 'unsupported_media_type']);
    const { raw, headers } = multipart(await draw(8, 8).png().toBuffer());
    const renamed = Buffer.from(raw.toString('latin1').replace('name="file"', 'name="blob"'), 'latin1');
    const other = await world.call('POST /me/avatar', { token, raw: renamed, headers });
    expect([other.status, Object.keys(other.body.error.fields)]).toEqual([422, ['blob']]);
  });

  it('deletes the previous image, unless it is the same', async () => {
    const red = await draw(30, 30).png().toBuffer();
    const first = (await upload(people.uma, red)).body.avatar_url;
    expect((await upload(people.uma, red)).body.avatar_url).toBe(first);
    await world.settle();
    expect((await world.call(`GET ${pathOf(first)}`)).status).toBe(200);
    const second = (await upload(people.uma, await draw(30, 30, 'blue').png().toBuffer())).body.avatar_url;
    await world.settle();
    expect((await world.call(`GET ${pathOf(first)}`)).status).toBe(404);
    expect((await world.call(`GET ${pathOf(second)}`)).status).toBe(200);
  });

  it('deletes each previous image of concurrent uploads', async () => {
    const { bob } = people;
    const { db, blobs } = world.app.services;
    const other = await db.native.connect();
    try {
      await other.query('begin');
      await other.query('select 1 from users where id = $1 for update', [bob.id]);
      const uploads = ['navy', 'olive'].map(async (colour) => upload(bob, await draw(30, 30, colour).png().toBuffer()));
      await waitForLocks(world, 2);
      await other.query('commit');
      await Promise.all(uploads);
    } finally {
      other.release();
    }
    await world.settle();
    const { avatar_url } = (await world.call('GET /me', { token: bob.token })).body;
    const stored = await Array.fromAsync(blobs.list(`avatars/${bob.id.slice(4)}`));
    expect(stored.map((key) => `/${key}`)).toEqual([pathOf(avatar_url)]);
  });

  it('keeps an image that is set again before its deletion has run', async () => {
    const { carol } = people;
    const [green, gold] = [await draw(30, 30, 'green').png().toBuffer(), await draw(30, 30, 'gold').png().toBuffer()];
    for (const bytes of [green, gold, green]) await upload(carol, bytes);
    const { avatar_url } = (await world.call('GET /me', { token: carol.token })).body;
    await world.settle();
    expect((await world.call(`GET ${pathOf(avatar_url)}`)).status).toBe(200);
  });

  it('leaves nothing behind when the account is deleted during the upload', async () => {
    const { services } = world.app;
    const { blobs } = services;
    const erin = await register(world, 'erin', 70);
    services.blobs = {
      ...blobs,
      async put(...put_arguments) {
        await blobs.put(...put_arguments);
        services.blobs = blobs;
        const { token } = erin;
        expect((await world.call('DELETE /me', { token, body: { password: erin.password } })).status).toBe(204);
      },
    };
    expect((await upload(erin, await draw(30, 30).png().toBuffer())).status).toBe(404);
    await world.clock.advance(61);
    await world.settle();
    expect(await Array.fromAsync(blobs.list(`avatars/${erin.id.slice(4)}`))).toEqual([]);
  });
});
