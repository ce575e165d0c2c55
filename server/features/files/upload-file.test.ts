import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { stripMetadata } from '../../kernel/media/metadata.ts';
import {
  blobKeys,
  drawPng,
  createWav,
  fetchSigned,
  storageUse,
  upload,
  uploadPicture,
} from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { video_mp4, tone_mp3, tone_opus } from '../../testing/samples/recordings.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /files', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('re-encodes an image upright, without metadata, in three sizes, with a blurhash', slow, async () => {
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
    for (const url of [file.stream_url, ...file.variants.map((item: { url: string }) => item.url)]) {
      const { status: found, bytes } = await fetchSigned(world, url);
      const image = await sharp(bytes).metadata();
      expect([found, image.format, image.exif, image.icc, image.orientation]).toEqual([
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

  it('keeps a short animation and reduces a long one to its first frame', slow, async () => {
    const video = async (frames: number) => {
      const frame_images = await Promise.all(
        Array.from({ length: frames }, (_, at) => drawPng(8, 8, at % 2 === 0 ? 'navy' : 'orange')),
      );
      return sharp(frame_images, { join: { animated: true } })
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

  it('measures the duration of audio and computes its waveform', async () => {
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

  it('computes the waveform of compressed audio, and recognises a video', async () => {
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

  it('removes metadata from audio and video, and stores the size without it', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x10'), Buffer.from('Nobody Anybody  ')]);
    const audio = (await upload(world, people.bob, Buffer.concat([tag, tone_mp3]))).body;
    expect(audio).toMatchObject({ content_type: 'audio/mpeg', size_bytes: tone_mp3.length });
    expect((await fetchSigned(world, audio.stream_url)).bytes.equals(tone_mp3)).toBe(true);
    const place = Buffer.from('\0\0\0\x1bfree+48.8577+002.295/XX', 'latin1');
    const video = (await upload(world, people.bob, Buffer.concat([video_mp4, place]))).body;
    const { bytes } = await fetchSigned(world, video.stream_url);
    expect([video.kind, bytes.length, bytes.includes('+48.8577')]).toEqual([
      'video',
      video_mp4.length + place.length,
      false,
    ]);
    // A trailing tag that claims to be longer than the file.
    const answer = await upload(world, people.bob, Buffer.concat([tone_mp3, Buffer.from('999999LYRICS200')]));
    expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, ['file']]);
  });

  it('serves content that a browser could execute as a sandboxed attachment', async () => {
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
    // The last one has the signature of an image and is none.
    expect(kinds).toEqual(['other', 'other', 'other', 'other', 422]);
  });

  it('counts stored bytes, and stores nothing when the plan limit is reached', async () => {
    const { carol } = people;
    await uploadPicture(world, carol);
    const { counted, stored } = await storageUse(world, carol);
    expect([counted > 0, counted]).toEqual([true, stored]);
    const keys = await blobKeys(world);
    const { db } = world.app.services;
    const fill_storage = 'update users set storage_bytes = 500000000 - $2::int where id = $1';
    // Full before processing, and full only after it.
    for (const remaining_bytes of [0, 10]) {
      await db.native.query(fill_storage, [carol.id, remaining_bytes]);
      const { status, body } = await upload(world, carol, await drawPng(9, 9, 'lime'));
      expect([status, body.error.code]).toEqual([403, 'plan_limit_reached']);
      expect(await blobKeys(world)).toEqual(keys);
    }
    await db.native.query('update users set storage_bytes = $2 where id = $1', [carol.id, counted]);
    expect(await storageUse(world, carol)).toEqual({ counted, stored });
  });

  it('leaves neither row nor bytes when the transaction fails, and creates one file per idempotency key', async () => {
    const { bob } = people;
    const image = await drawPng(7, 7, 'teal');
    const keys = await blobKeys(world);
    const before = await storageUse(world, bob);
    const { db } = world.app.services;
    await db.native.query('alter table files add constraint broken check (width is distinct from 7)');
    expect((await upload(world, bob, image)).status).toBe(500);
    await db.native.query('alter table files drop constraint broken');
    expect([await blobKeys(world), await storageUse(world, bob)]).toEqual([keys, before]);
    const { raw, headers } = multipart(image);
    const again = () =>
      world.call('POST /files', { token: bob.token, raw, headers: { ...headers, 'idempotency-key': 'one' } });
    const answers = await Promise.all([again(), again()]);
    const created = [...answers, await again()].filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThanOrEqual(2);
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
    expect(await blobKeys(world)).toHaveLength(keys.length + 4);
  });

  it('rejects an empty file', async () => {
    const empty = await upload(world, people.alice, Buffer.alloc(0));
    expect([empty.status, Object.keys(empty.body.error.fields)]).toEqual([422, ['file']]);
  });
});
