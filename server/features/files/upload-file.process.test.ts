/** Invalid, hostile and excessive uploads: none causes an internal error, and none leaves anything behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { randomFrom, seedOf } from '../../../testing/seed.ts';
import { blankPng, blobKeys, drawPng, createWav, storageUse, upload } from '../../testing/samples/media.ts';
import { findPersonas, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { video_mp4, tone_mp3, tone_opus } from '../../testing/samples/recordings.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('Malicious uploads', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({
      environment: { THROTTLE_FACTOR: '1000' },
      limits: { decoding_running: 1, decoding_waiting: 4, decoding_ms: 5000, uploads_per_account: 8 },
    });
    people = findPersonas();
  });
  afterAll(() => world.close());

  /**
   * Sends uploads one after the other, and returns index and status of those neither accepted nor rejected as invalid.
   */
  const send = async (uploads: Buffer[]) => {
    const unexpected: number[] = [];
    for (const [at, bytes] of uploads.entries()) {
      const { status } = await upload(world, people.alice, bytes);
      if (![201, 422].includes(status)) unexpected.push(at, status);
    }
    const { counted, stored } = await storageUse(world, people.alice);
    expect(counted).toBe(stored);
    return unexpected;
  };

  const validFiles = async () => {
    const png = await drawPng(40, 30);
    const encode = (format: 'jpeg' | 'gif' | 'webp' | 'tiff' | 'avif') => sharp(png).toFormat(format).toBuffer();
    const images = await Promise.all((['jpeg', 'gif', 'webp', 'tiff', 'avif'] as const).map(encode));
    return [png, ...images, createWav(), tone_mp3, tone_opus, video_mp4];
  };

  it('are accepted or rejected as invalid when truncated or changed at random', async () => {
    const random = randomFrom(seedOf(7).seed);
    const broken = (await validFiles()).flatMap((file) => [
      ...[0.02, 0.3, 0.7, 0.99].map((part) => file.subarray(0, Math.ceil(file.length * part))),
      ...Array.from({ length: 6 }, (_, round) => {
        const changed = Buffer.from(file);
        // Mostly the header, which contains sizes and counts.
        const reach = round < 4 ? Math.min(200, changed.length) : changed.length;
        for (let at = 0; at < 8; at++) changed[4 + Math.floor(random() * (reach - 4))] = Math.floor(random() * 256);
        return changed;
      }),
    ]);
    expect(await send(broken)).toEqual([]);
  });

  it('are accepted or rejected as invalid when noise follows a file signature', async () => {
    const random = randomFrom(seedOf(11).seed);
    const magics = [
      '',
      'ID3\u0004',
      'OggS\0\u0002',
      '\u001aE\u00df\u00a3',
      '\0\0\0\u0018ftypmp42',
      '\0\0\0\u0018ftypavif',
      'RIFF\u00ff\u00ff\0\0WAVEfmt ',
      'RIFF\u00ff\u00ff\0\0WEBPVP8 ',
      'fLaC',
      'BM',
      '\u0089PNG\r\n\u001a\n',
      '\u00ff\u00d8\u00ff\u00e0',
      'GIF89a',
      'II*\0',
      'PK\u0003\u0004',
      '%PDF-',
    ];
    const noise = () => Buffer.from(Array.from({ length: 400 }, () => Math.floor(random() * 256)));
    expect(await send(magics.map((magic) => Buffer.concat([Buffer.from(magic, 'latin1'), noise()])))).toEqual([]);
  });

  it('do not exhaust memory with exaggerated sizes', async () => {
    const wide = (channels: number, block: number, format: number, bits: number) => {
      const wav = createWav();
      wav.writeUInt16LE(format, 20);
      wav.writeUInt16LE(channels, 22);
      wav.writeUInt16LE(block, 32);
      wav.writeUInt16LE(bits, 34);
      return wav;
    };
    const opus = Buffer.from(tone_opus);
    opus[opus.indexOf('OpusHead') + 9] = 255;
    const before_bytes = process.memoryUsage().rss;
    const hostile = [wide(65_535, 1, 1, 8), wide(1, 0, 1, 16), wide(2, 1, 0x11, 4), wide(1, 1, 2, 4), opus];
    expect(await send(hostile)).toEqual([]);
    expect(process.memoryUsage().rss - before_bytes).toBeLessThan(300_000_000);
  });

  it('are rejected with 422 before decompression if the image is too large', async () => {
    const bomb = blankPng(20_000);
    expect(bomb.length).toBeLessThan(100_000);
    expect((await upload(world, people.alice, blankPng(200))).status).toBe(201);
    const { status, body } = await upload(world, people.alice, bomb);
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['file']]);
  });

  it('get 503 with Retry-After when they exceed decoder and queue', async () => {
    const keys = await blobKeys(world);
    const image = await drawPng(1200, 900, 'purple');
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(world, people.bob, image)));
    const taken = answers.filter(({ status }) => status === 201);
    const busy = answers.filter(({ status }) => status === 503);
    expect([taken.length >= 3, busy.length > 0, taken.length + busy.length]).toEqual([true, true, 8]);
    expect(busy[0]?.headers['retry-after']).toMatch(/^\d+$/);
    expect(await blobKeys(world)).toHaveLength(keys.length + 4 * taken.length);
  });

  it('are limited per account, so that others still have capacity', async () => {
    const small = await createWorld({ limits: { uploads_per_account: 2, uploads_running: 4, decoding_running: 1 } });
    try {
      const image = await drawPng(600, 600);
      const sendMany = (who: Persona, count: number) => Array.from({ length: count }, () => upload(small, who, image));
      const statuses = async (uploads: ReturnType<typeof upload>[]) =>
        (await Promise.all(uploads)).map(({ status }) => status).toSorted();
      const refusalsOf = (uploads: ReturnType<typeof upload>[], count: number) =>
        new Promise<void>((resolve) => {
          let refused = 0;
          for (const sent of uploads)
            void sent.then(({ status }) => (status === 503 && (refused += 1) === count ? resolve() : undefined));
        });
      // The only decoder is busy until all that are refused have been: no upload is done before the last arrives.
      const decoding = Promise.withResolvers<void>();
      void small.app.services.decoder.use('another account', () => decoding.promise);
      const own = sendMany(people.alice, 4);
      await refusalsOf(own, 2);
      const others = sendMany(people.bob, 2);
      await refusalsOf(others, 1);
      decoding.resolve();
      expect([await statuses(own), await statuses(others)]).toEqual([
        [201, 201, 503, 503],
        [201, 503],
      ]);
      // The slots are free again.
      expect([await statuses(sendMany(people.alice, 2)), await statuses(sendMany(people.bob, 2))]).toEqual([
        [201, 201],
        [201, 201],
      ]);
    } finally {
      await small.close();
    }
  });

  it('are decoded round robin, so that three flooding accounts do not block another', async () => {
    const shared = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    try {
      const { alice, bob, carol } = people;
      const dave = await register(shared, 'dave', 71);
      const [large, small] = [await drawPng(1000, 800), await drawPng(40, 30)];
      const flooding = { is_over: false };
      const flood = async (who: Persona) => {
        while (!flooding.is_over) await upload(shared, who, large);
      };
      const floods = [alice, bob, carol].flatMap((who) => Array.from({ length: 6 }, () => flood(who)));
      const statuses: number[] = [];
      for (let one = 0; one < 4; one++) statuses.push((await upload(shared, dave, small)).status);
      flooding.is_over = true;
      await Promise.all(floods);
      expect(statuses).toEqual([201, 201, 201, 201]);
    } finally {
      await shared.close();
    }
  });

  it('are rejected with 422 when reading them takes too long', async () => {
    const small = await createWorld({ limits: { decoding_ms: 1 } });
    try {
      const { status, body } = await upload(small, people.alice, tone_mp3);
      expect([status, body.error.fields]).toEqual([422, { file: 'takes too long to read' }]);
    } finally {
      await small.close();
    }
  });
});
