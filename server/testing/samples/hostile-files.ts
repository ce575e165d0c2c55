/** Malformed and malicious files of every kind that the service reads: the same ones for the same seed. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { hostileFormats, type Kind, type Random } from './hostile-formats.ts';
import { box, heifOf, pngOf, tiffOf, words } from './hostile-pictures.ts';
import { createWav } from './media.ts';
import { video_mp4, tone_mp3, tone_opus } from './recordings.ts';

const nest = (depth: number, wrap: (inner: Buffer) => Buffer) => {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = wrap(inner);
  return inner;
};
const lines = (...all: string[]) => Buffer.from(all.join('\r\n'));
const card = (...properties: string[]) => lines('BEGIN:VCARD', 'VERSION:4.0', 'FN:Ann', ...properties, 'END:VCARD', '');

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
    avif: {
      whole: avif!,
      attacks: [
        () => claim(avif!, 'ispe', 8, [0, 1, 0, 0, 0, 1, 0, 0]),
        () => heifOf('avif'),
        () => heifOf('heic'),
        () => claim(avif!, 'ftyp', 4, [...Buffer.from('heic')]),
      ],
    },
    tiff: {
      whole: tiff!,
      attacks: [
        () => Buffer.concat([tiff!.subarray(0, 4), Buffer.from([4, 0, 0, 0]), tiff!]),
        (random) => tiffOf(60_000, 60_000, 1 + random(5000)),
        (random) => tiffOf(1 + random(2 ** 31), 1 + random(2 ** 31), 1),
      ],
    },
  };
}

/** The recording with another position in each of its Ogg pages (RFC 3533, 6), whose sums are left as they were. */
function withGranules(granule: () => bigint): Buffer {
  const copy = Buffer.from(tone_opus);
  for (let at = copy.indexOf('OggS'); at >= 0 && at + 14 <= copy.length; at = copy.indexOf('OggS', at + 4))
    copy.writeBigInt64LE(granule(), at + 6);
  return copy;
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
      attacks: [
        () => Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), tone_mp3]),
        // One tag after another, each of which claims to be whole.
        (random) =>
          Buffer.concat([...Array<Buffer>(random(20_000)).fill(Buffer.from('ID3\x04\0\0\0\0\0\0')), tone_mp3]),
        (random) =>
          Buffer.concat([
            Buffer.from('ID3\x03\0\x40\0\x07\x7f\x7f', 'latin1'),
            Buffer.alloc(random(130_000)),
            tone_mp3,
          ]),
      ],
    },
    ogg: {
      whole: tone_opus,
      attacks: [
        (random) => ogg_pages(random(20_000)),
        () => claim(tone_opus, 'OpusHead', 9, [255]),
        () => withGranules(() => 2n ** 63n - 1n),
        () => withGranules(() => -(2n ** 62n)),
        (random) => withGranules(() => BigInt(random(2 ** 40))),
      ],
    },
    wav: { whole: wav, attacks: [() => claim(wav, 'fmt ', 10, [255, 255]), () => claim(wav, 'fmt ', 4, [0, 0, 0, 0])] },
    flac: { whole: flac, attacks: [() => claim(flac, 'fLaC', 5, [255, 255, 255])] },
    aac: { whole: Buffer.alloc(600, Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc])), attacks: [] },
  };
}

/** A cluster of blocks that claim 256 laced frames, without an end of the last size (RFC 9559, 10.3). */
function laced(random: Random, lacing: number): Buffer {
  const block = Buffer.concat([Buffer.from([0xa3, 0x41, 0x00, 0x81, 0, 0, lacing, 255]), Buffer.alloc(248, 255)]);
  const cluster = Buffer.concat(Array<Buffer>(1 + random(300)).fill(block));
  return Buffer.concat([Buffer.from('1853806701ffffffffffffff1f43b67501ffffffffffffff', 'hex'), cluster]);
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
        // Sizes that lead backwards or nowhere: negative, smaller than the head, and 64 bits (ISO 14496-12, 4.2).
        (random) => Buffer.concat([ftyp, box('moov', box('trak', Buffer.alloc(64), 0x80000000 + random(2 ** 31)))]),
        (random) =>
          Buffer.concat([
            ftyp,
            box('moov', Buffer.concat([box('mvhd', Buffer.alloc(100)), box('trak', Buffer.alloc(64), random(8))])),
          ]),
        () => Buffer.concat([ftyp, box('mdat', words(0xffffffff, 0xfffffff0), 1), video_mp4]),
        () => claim(video_mp4, 'stsc', 8, [127, 255, 255, 255]),
        () => claim(video_mp4, 'stts', 8, [127, 255, 255, 255, 127, 255, 255, 255]),
        () => claim(video_mp4, 'stco', 12, [0, 0, 0, 0]),
      ],
    },
    webm: {
      whole: webm,
      attacks: [
        (random) =>
          Buffer.concat([ebml, Buffer.alloc(random(100_000), Buffer.from('1853806701ffffffffffffff', 'hex'))]),
        (random) => Buffer.concat([ebml, Buffer.alloc(random(100_000), 0x80)]),
        (random) => Buffer.concat([ebml, laced(random, 0x06), laced(random, 0x02), laced(random, 0x04)]),
      ],
    },
  };
}

const svgOf = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${inner}</svg>`);

/** Entities that each stand for ten of the one before. */
const entities = (depth: number) =>
  Array.from({ length: depth }, (_, level) => {
    const before = level === 0 ? '&a;' : `&e${level};`;
    return `<!ENTITY e${level + 1} "${before.repeat(10)}">`;
  });

const calendarOf = (...properties: string[]) =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1@example.org',
    'DTSTART:20260101T090000Z',
    ...properties,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  );

function documents(): Record<string, Kind> {
  const pdf = lines(
    '%PDF-1.7',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Kids [2 0 R] >> endobj',
    '%%EOF',
  );
  return {
    pdf: { whole: pdf, attacks: [(random) => Buffer.concat([pdf, Buffer.from('<<'.repeat(random(50_000)))])] },
    zip: {
      whole: Buffer.from('504b0304140000000800', 'hex'),
      attacks: [
        () => deflateSync(Buffer.alloc(1_000_000)),
        // A directory that claims 65,535 entries and begins at itself.
        () =>
          Buffer.from(
            '504b01021400140000000800504b0506000000 00ffffffffffffffff00000000ffff'.replaceAll(' ', ''),
            'hex',
          ),
      ],
    },
    svg: {
      whole: svgOf('<rect width="8" height="8"/>'),
      attacks: [
        (random) => svgOf('<g>'.repeat(random(30_000))),
        () => svgOf('<use href="#a"/><g id="a"><use href="#a"/><use href="#a"/></g>'),
        () => svgOf('<image href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1:1/"/>'),
        () =>
          svgOf(
            '<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter><rect width="1e9" height="1e9" filter="url(#f)"/>',
          ),
        () => lines('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">', ...entities(9), ']>', svgOf('&e9;').toString()),
        () => lines('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>', svgOf('<text>&x;</text>').toString()),
      ],
    },
    ics: {
      whole: calendarOf('RRULE:FREQ=DAILY;COUNT=3'),
      attacks: [
        () => calendarOf('RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'),
        (random) => calendarOf(`RRULE:FREQ=SECONDLY;COUNT=${2 ** 31 - 1};BYSECOND=${'1,'.repeat(random(9000))}1`),
        (random) => calendarOf(...Array<string>(random(5000)).fill('EXDATE:20260101T000000Z')),
        (random) => Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'.repeat(random(5000))),
      ],
    },
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
        (random) => Buffer.from(`name,phone\n${'a\0b,"\0\n'.repeat(random(5000))}`),
        (random) => Buffer.from(`name,phone\n${'a"b",1"\n'.repeat(random(5000))}`),
        (random) => Buffer.from(`name,phone\r${'"a""\r'.repeat(random(5000))}`),
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
        // Folded in the middle of an escape of quoted-printable, which continues by itself as well (RFC 2045, 6.7).
        (random) =>
          card(
            'VERSION:2.1',
            `NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:${'=C3=\r\n =\r\n=A'.repeat(random(10_000))}`,
          ),
        (random) => card(`NOTE;ENCODING=QUOTED-PRINTABLE:${'=\r\n'.repeat(random(30_000))}=`),
        (random) => card(`AGENT:${'BEGIN:VCARD\\n'.repeat(random(10_000))}`, 'PHOTO;ENCODING=b:=\r\n ===='),
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
  const decoded = { ...(await images()), ...audio(), ...video(), ...documents(), ...contacts() };
  const kinds = Object.entries({ ...decoded, ...hostileFormats() });
  const generate = ({ whole, attacks }: Kind): Buffer => {
    // Half are mutations of a valid file, a quarter mutations of an attack, and a quarter attacks.
    const attack = random(2) === 0 && attacks.length > 0 ? attacks[random(attacks.length)]?.(random) : undefined;
    if (attack && random(2) === 0) return attack;
    const other = kinds[random(kinds.length)]?.[1].whole ?? whole;
    return mutations[random(mutations.length)]?.(attack && attack.length > 0 ? attack : whole, random, other) ?? whole;
  };
  return new Map(kinds.map(([name, kind]) => [name, () => generate(kind).subarray(0, max_bytes)]));
}
