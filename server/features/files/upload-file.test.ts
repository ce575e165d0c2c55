import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { stripMetadata } from '../../kernel/media/metadata.ts';
import { blobKeys, drawPng, createWav, fetchSigned, storageUse, upload, uploadPicture } from '../../testing/media.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { multipart } from '../../testing/upload.ts';
import { video_mp4, tone_mp3, tone_opus } from '../../testing/recordings.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /files', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('writes a picture anew: upright, without metadata, in three sizes, with a blur', async () => {
    const photo = await sharp({ create: { width: 1000, height: 400, channels: 3, background: 'blue' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'Alice A.' }, IFD3: { GPSLatitude: '48/1 12/1 0/1' } })
      .toBuffer();
    const { status, body: file } = await upload(world, people.alice, photo);
    expect([status, file.kind, file.content_type, file.width, file.height]).toEqual([
      201,
      'image',
      'image/webp',
      400,
      1000,
    ]);
    expect(file.blurhash).toMatch(/^.{20,40}$/);
    expect(file.variants.map(({ name, width, height }: Record<string, unknown>) => [name, width, height])).toEqual([
      ['small', 128, 320],
      ['medium', 384, 960],
      ['large', 400, 1000],
    ]);
    for (const url of [file.stream_url, ...file.variants.map((one: { url: string }) => one.url)]) {
      const { status: found, bytes } = await fetchSigned(world, url);
      const picture = await sharp(bytes).metadata();
      expect([found, picture.format, picture.exif, picture.icc, picture.orientation]).toEqual([
        200,
        'webp',
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.includes('Alice A.')).toBe(false);
    }
    expect(file.size_bytes).toBe((await fetchSigned(world, file.stream_url)).bytes.length);
  });

  it('lets a short animation move and freezes a long one', async () => {
    const video = async (frames: number) => {
      const pictures = await Promise.all(
        Array.from({ length: frames }, (_, at) => drawPng(8, 8, at % 2 === 0 ? 'navy' : 'orange')),
      );
      return sharp(pictures, { join: { animated: true } })
        .webp({ lossless: true })
        .toBuffer();
    };
    const pages = async (frames: number) => {
      const { body: file } = await upload(world, people.alice, await video(frames));
      expect([file.width, file.height]).toEqual([8, 8]);
      const small = await sharp((await fetchSigned(world, file.variants[0].url)).bytes).metadata();
      expect(small.pages ?? 1).toBe(1);
      return (await sharp((await fetchSigned(world, file.stream_url)).bytes).metadata()).pages ?? 1;
    };
    expect([await pages(5), await pages(201)]).toEqual([5, 1]);
  });

  it('measures sound and draws it', async () => {
    const { body: file } = await upload(world, people.alice, createWav());
    expect([file.kind, file.content_type, file.duration_s, file.variants, file.poster_url]).toEqual([
      'audio',
      'audio/wav',
      2,
      [],
      null,
    ]);
    expect(file.waveform).toHaveLength(100);
    expect(Math.min(...file.waveform.slice(0, 50))).toBeGreaterThan(0.95);
    for (const point of file.waveform.slice(51)) expect(point).toBeCloseTo(0.25, 2);
  });

  it('draws compressed sound too, and takes a video for one', async () => {
    for (const [bytes, content_type] of [
      [tone_mp3, 'audio/mpeg'],
      [tone_opus, 'audio/ogg'],
    ] as const) {
      const { body: file } = await upload(world, people.alice, bytes);
      expect([file.kind, file.content_type]).toEqual(['audio', content_type]);
      expect(Math.abs(file.duration_s - 1)).toBeLessThan(0.2);
      expect(file.waveform[20] / file.waveform[80]).toBeGreaterThan(3);
      expect((await fetchSigned(world, file.stream_url)).bytes).toEqual(stripMetadata(bytes, content_type));
    }
    const { body: video } = await upload(world, people.alice, video_mp4);
    expect([video.kind, video.content_type, video.poster_url]).toEqual(['video', 'video/mp4', null]);
  });

  it('keeps sound and videos without what they say of their makers, and counts what is left', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x10'), Buffer.from('Nobody Anybody  ')]);
    const sound = (await upload(world, people.bob, Buffer.concat([tag, tone_mp3]))).body;
    expect(sound).toMatchObject({ content_type: 'audio/mpeg', size_bytes: tone_mp3.length });
    expect((await fetchSigned(world, sound.stream_url)).bytes.equals(tone_mp3)).toBe(true);
    const place = Buffer.from('\0\0\0\x1bfree+48.8577+002.295/XX', 'latin1');
    const video = (await upload(world, people.bob, Buffer.concat([video_mp4, place]))).body;
    const { bytes } = await fetchSigned(world, video.stream_url);
    expect([video.kind, bytes.length, bytes.includes('+48.8577')]).toEqual([
      'video',
      video_mp4.length + place.length,
      false,
    ]);
    // A tag behind the sound that claims to be longer than the file.
    const answer = await upload(world, people.bob, Buffer.concat([tone_mp3, Buffer.from('999999LYRICS200')]));
    expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, ['file']]);
  });

  it('hands out what a browser could run only to be saved', async () => {
    const texts = [
      '<!doctype html><script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<?xml version="1.0"?><a/>',
      '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF',
      'GIF89a/*<svg/onload=alert(1)>*/',
    ];
    const kinds: unknown[] = [];
    for (const text of texts) {
      const { status, body: file } = await upload(world, people.bob, Buffer.from(text));
      kinds.push(status === 201 ? file.kind : status);
      if (status !== 201) continue;
      const { headers } = await fetchSigned(world, file.stream_url);
      expect(headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${file.id}"; filename*=UTF-8''note.txt`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    }
    // The last says that it is a picture and is none.
    expect(kinds).toEqual(['other', 'other', 'other', 'other', 422]);
  });

  it('counts what it stores, and leaves nothing behind where the plan is full', async () => {
    const { carol } = people;
    await uploadPicture(world, carol);
    const { counted, stored } = await storageUse(world, carol);
    expect([counted > 0, counted]).toEqual([true, stored]);
    const keys = await blobKeys(world);
    const { db } = world.app.services;
    const room = 'update users set storage_bytes = 500000000 - $2::int where id = $1';
    // Full before the work begins, and full only after it.
    for (const left of [0, 10]) {
      await db.native.query(room, [carol.id, left]);
      const { status, body } = await upload(world, carol, await drawPng(9, 9, 'lime'));
      expect([status, body.error.code]).toEqual([403, 'plan_limit_reached']);
      expect(await blobKeys(world)).toEqual(keys);
    }
    await db.native.query('update users set storage_bytes = $2 where id = $1', [carol.id, counted]);
    expect(await storageUse(world, carol)).toEqual({ counted, stored });
  });

  it('leaves neither row nor bytes when its transaction fails, and keeps one file for one key', async () => {
    const { bob } = people;
    const picture = await drawPng(7, 7, 'teal');
    const keys = await blobKeys(world);
    const before = await storageUse(world, bob);
    const { db } = world.app.services;
    await db.native.query('alter table files add constraint broken check (width is distinct from 7)');
    expect((await upload(world, bob, picture)).status).toBe(500);
    await db.native.query('alter table files drop constraint broken');
    expect([await blobKeys(world), await storageUse(world, bob)]).toEqual([keys, before]);
    const { raw, headers } = multipart(picture);
    const again = () =>
      world.call('POST /files', { token: bob.token, raw, headers: { ...headers, 'idempotency-key': 'one' } });
    const answers = await Promise.all([again(), again()]);
    const made = [...answers, await again()].filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(2);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(await blobKeys(world)).toHaveLength(keys.length + 4);
  });

  it('refuses an empty file', async () => {
    const empty = await upload(world, people.alice, Buffer.alloc(0));
    expect([empty.status, Object.keys(empty.body.error.fields)]).toEqual([422, ['file']]);
  });
});
