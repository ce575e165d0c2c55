/** Malformed and malicious files of every kind that the service reads: the same ones for the same seed. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { blankPng, createWav } from './media.ts';
import { video_mp4, tone_mp3, tone_opus } from './recordings.ts';

/** Returns integers from 0 up to a bound, which is excluded. */
export type Random = (below: number) => number;

/** A valid file of a kind, and attacks that are specific to it. */
type Kind = { whole: Buffer; attacks: ((random: Random) => Buffer)[] };

const box = (name: string, body: Buffer, claimed?: number) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(claimed ?? body.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const nest = (depth: number, wrap: (inner: Buffer) => Buffer) => {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = wrap(inner);
  return inner;
};
const lines = (...all: string[]) => Buffer.from(all.join('\r\n'));
const card = (...properties: string[]) => lines('BEGIN:VCARD', 'VERSION:4.0', 'FN:Ann', ...properties, 'END:VCARD', '');

/** A PNG whose header claims a size that its data does not have. */
function pngOf(width: number, height: number, data: Buffer): Buffer {
  const png = blankPng(8);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const typed = Buffer.concat([Buffer.from('IDAT'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([png.subarray(0, 33), head, typed, sum, png.subarray(-12)]);
}

/** Overwrites a size in a copy, at an offset from a marker. */
const claim = (whole: Buffer, marker: string, offset: number, bytes: number[]) => {
  const copy = Buffer.from(whole);
  const at = copy.indexOf(marker, 0, 'latin1');
  if (at >= 0) for (const [index, byte] of bytes.entries()) copy[at + offset + index] = byte;
  return copy;
};

async function images(): Promise<Record<string, Kind>> {
  const raw = Buffer.alloc(48 * 32 * 3, 99);
  const encode = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff') =>
    sharp(raw, { raw: { width: 48, height: 32, channels: 3 } })
      .toFormat(format)
      .toBuffer();
  const [jpeg, png, webp, gif, avif, tiff] = await Promise.all(
    (['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const).map(encode),
  );
  const frames = (count: number) =>
    Buffer.concat([gif!.subarray(0, -1), ...Array<Buffer>(count).fill(gif!.subarray(13, -1))]);
  return {
    png: {
      whole: png!,
      attacks: [
        () => pngOf(20_000, 20_000, deflateSync(Buffer.alloc(100_000))),
        (random) => pngOf(1 + random(2 ** 31), 1 + random(2 ** 31), deflateSync(Buffer.alloc(100))),
        () => pngOf(3000, 3000, deflateSync(Buffer.alloc(1_200_000))),
      ],
    },
    jpeg: { whole: jpeg!, attacks: [() => claim(jpeg!, '\xff\xc0', 5, [255, 255, 255, 255])] },
    webp: { whole: webp!, attacks: [() => claim(webp!, 'VP8', 10, [255, 63, 255, 63])] },
    gif: {
      whole: gif!,
      attacks: [(random) => frames(random(3000)), () => claim(gif!, 'GIF89a', 6, [255, 255, 255, 255])],
    },
    avif: { whole: avif!, attacks: [() => claim(avif!, 'ispe', 8, [0, 1, 0, 0, 0, 1, 0, 0])] },
    tiff: { whole: tiff!, attacks: [() => Buffer.concat([tiff!.subarray(0, 4), Buffer.from([4, 0, 0, 0]), tiff!])] },
  };
}

function audio(): Record<string, Kind> {
  const wav = createWav().subarray(0, 4000);
  const ogg_pages = (count: number) => Buffer.concat(Array<Buffer>(count).fill(tone_opus.subarray(0, 100)));
  const flac = Buffer.concat([
    Buffer.from('fLaC\x00\x00\x00\x22', 'latin1'),
    Buffer.alloc(34, 16),
    Buffer.alloc(200, 255),
  ]);
  return {
    mp3: {
      whole: tone_mp3,
      attacks: [() => Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), tone_mp3])],
    },
    ogg: {
      whole: tone_opus,
      attacks: [(random) => ogg_pages(random(20_000)), () => claim(tone_opus, 'OpusHead', 9, [255])],
    },
    wav: { whole: wav, attacks: [() => claim(wav, 'fmt ', 10, [255, 255]), () => claim(wav, 'fmt ', 4, [0, 0, 0, 0])] },
    flac: { whole: flac, attacks: [() => claim(flac, 'fLaC', 5, [255, 255, 255])] },
    aac: { whole: Buffer.alloc(600, Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc])), attacks: [] },
  };
}

function video(): Record<string, Kind> {
  const ebml = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d4287810442858102', 'hex');
  const webm = Buffer.concat([
    ebml,
    Buffer.from('18538067', 'hex'),
    Buffer.from('01ffffffffffffff', 'hex'),
    Buffer.alloc(300, 0xec),
  ]);
  const ftyp = box('ftyp', Buffer.from('isommp42'));
  return {
    mp4: {
      whole: video_mp4,
      attacks: [
        (random) => Buffer.concat([ftyp, nest(1 + random(3000), (inner) => box('moov', inner))]),
        (random) => Buffer.concat([ftyp, nest(1 + random(3000), (inner) => box('trak', box('mdia', inner)))]),
        () => claim(video_mp4, 'stsz', 12, [255, 255, 255, 255]),
        () => claim(video_mp4, 'moov', -4, [255, 255, 255, 255]),
        () => Buffer.concat([ftyp, ...Array<Buffer>(20_000).fill(box('free', Buffer.alloc(0)))]),
      ],
    },
    webm: {
      whole: webm,
      attacks: [
        (random) =>
          Buffer.concat([ebml, Buffer.alloc(random(100_000), Buffer.from('1853806701ffffffffffffff', 'hex'))]),
        (random) => Buffer.concat([ebml, Buffer.alloc(random(100_000), 0x80)]),
      ],
    },
  };
}

function documents(): Record<string, Kind> {
  const pdf = lines(
    '%PDF-1.7',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Kids [2 0 R] >> endobj',
    '%%EOF',
  );
  return {
    pdf: { whole: pdf, attacks: [(random) => Buffer.concat([pdf, Buffer.from('<<'.repeat(random(50_000)))])] },
    zip: { whole: Buffer.from('504b0304140000000800', 'hex'), attacks: [() => deflateSync(Buffer.alloc(1_000_000))] },
  };
}

function contacts(): Record<string, Kind> {
  const csv = lines('Name,Phone,E-mail,Note', 'Ann,+14155550101,a@x.org,"met ""there"""', 'Ben,020 7946 0018,,', '');
  const vcf = card('TEL;TYPE=cell:+14155550101', 'item1.EMAIL:a@x.org', 'item1.X-ABLabel:_$!<Home>!$_', 'NOTE:a\\, b');
  const json = Buffer.from(
    JSON.stringify({ contacts: [{ name: 'Ann', phones: [{ number: '+14155550101' }], note: 'ä' }] }),
  );
  return {
    csv: {
      whole: csv,
      attacks: [
        (random) => Buffer.from(`name,phone\n${','.repeat(random(300_000))}`),
        (random) => Buffer.from(`name,phone\n"${'a'.repeat(random(300_000))}`),
        (random) => Buffer.from(`name,phone\n${'a,1\n'.repeat(random(12_000))}`),
        (random) => Buffer.from(`${'name,'.repeat(random(2000))}\n${'"",'.repeat(random(2000))}`),
        () => Buffer.concat([Buffer.from([0xff, 0xfe]), csv]),
      ],
    },
    vcf: {
      whole: vcf,
      attacks: [
        (random) => card(`CATEGORIES:${','.repeat(random(300_000))}`),
        (random) => card(`NOTE:a${'\n a'.repeat(random(100_000))}`),
        (random) => card(...Array<string>(random(2000)).fill('TEL:1')),
        (random) => Buffer.from('BEGIN:VCARD\n'.repeat(random(20_000))),
        (random) => card(`TEL;${'TYPE=a;'.repeat(random(5000))}:1`, `X${'-A'.repeat(random(5000))}:1`),
        (random) => card(`ADR:${';'.repeat(random(10_000))}`, `N:${'\\'.repeat(random(10_000))}`),
      ],
    },
    json: {
      whole: json,
      attacks: [
        (random) => Buffer.from('['.repeat(random(200_000))),
        (random) => Buffer.from(`[${'{"a":'.repeat(random(5000))}`),
        (random) => Buffer.from(JSON.stringify([{ phones: Array<string>(random(30_000)).fill('1') }])),
        (random) => Buffer.from(`[${'{},'.repeat(random(12_000))}{}]`),
        () => Buffer.from('{"contacts":[{"__proto__":{"name":"x"}}]}'),
      ],
    },
  };
}

const extremes = ['00000000', 'ffffffff', '7fffffff', '80000000', '0000ffff', 'fffffffe', '00000001'];

/** Mutations for files of any kind. */
const mutations: ((whole: Buffer, random: Random, other: Buffer) => Buffer)[] = [
  (whole, random) => whole.subarray(0, random(whole.length + 1)),
  (whole, random) => whole.subarray(random(whole.length + 1)),
  (whole, random) => changeBytes(whole, random, Math.min(whole.length, 200)),
  (whole, random) => changeBytes(whole, random, whole.length),
  (whole, random) => {
    const copy = Buffer.from(whole);
    for (let times = 1 + random(4); times > 0; times--)
      Buffer.from(extremes[random(extremes.length)] ?? '', 'hex').copy(copy, random(Math.min(copy.length, 400)));
    return copy;
  },
  (whole, random) => {
    const [from, to] = [random(whole.length), random(whole.length)];
    return Buffer.concat([
      whole.subarray(0, to),
      ...Array<Buffer>(1 + random(50)).fill(whole.subarray(from)),
      whole.subarray(to),
    ]);
  },
  (whole, random, other) =>
    Buffer.concat([whole.subarray(0, random(whole.length + 1)), other.subarray(random(other.length))]),
  (whole, random) => Buffer.concat([whole, Buffer.alloc(random(100_000), random(256))]),
];

function changeBytes(whole: Buffer, random: Random, reach: number): Buffer {
  const copy = Buffer.from(whole);
  for (let times = 1 + random(16); times > 0; times--) copy[random(Math.max(1, reach))] = random(256);
  return copy;
}

/** Small enough that each costs little time; the largest permitted files have separate tests. */
const max_bytes = 256 * 1024;

/** Contact files are sent to the import, all others to the uploads. */
export const contact_kinds = ['csv', 'vcf', 'json'];

/** Creates hostile files: a generator by the name of each kind. */
export async function createHostileFiles(random: Random): Promise<Map<string, () => Buffer>> {
  const kinds = Object.entries({ ...(await images()), ...audio(), ...video(), ...documents(), ...contacts() });
  const generate = ({ whole, attacks }: Kind): Buffer => {
    // Half are mutations of a valid file, a quarter mutations of an attack, and a quarter attacks.
    const attack = random(2) === 0 && attacks.length > 0 ? attacks[random(attacks.length)]?.(random) : undefined;
    if (attack && random(2) === 0) return attack;
    const other = kinds[random(kinds.length)]?.[1].whole ?? whole;
    return mutations[random(mutations.length)]?.(attack && attack.length > 0 ? attack : whole, random, other) ?? whole;
  };
  return new Map(kinds.map(([name, kind]) => [name, () => generate(kind).subarray(0, max_bytes)]));
}
