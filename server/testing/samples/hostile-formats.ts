/**
 * Malicious files of formats that the service does not decode, but must recognise first, and of containers that hold
 * others: nested archives, sizes that lead nowhere, and compressed content.
 */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { box, tiffOf, words } from './hostile-pictures.ts';
import { tone_mp3, tone_opus, video_mp4 } from './recordings.ts';

/** Returns integers from 0 up to a bound, which is excluded. */
export type Random = (below: number) => number;

/** A valid file of a kind, and attacks that are specific to it. */
export type Kind = { whole: Buffer; attacks: ((random: Random) => Buffer)[] };

const latin = (text: string) => Buffer.from(text, 'latin1');
const repeat = (count: number, part: Buffer | string) =>
  Buffer.concat(Array<Buffer>(count).fill(typeof part === 'string' ? latin(part) : part));
const at = (length: number, fields: Record<number, Buffer | string>) => {
  const bytes = Buffer.alloc(length);
  for (const [place, field] of Object.entries(fields))
    (typeof field === 'string' ? latin(field) : field).copy(bytes, Number(place));
  return bytes;
};
const little = (...values: number[]) => Buffer.concat(values.map((value) => words(value).swap32()));

/** A chunk of RIFF or, with `is_big`, of IFF; its size may be a false one. */
const chunk = (name: string, body: Buffer, claimed = body.length, is_big = false) =>
  Buffer.concat([latin(name), is_big ? words(claimed) : little(claimed), body]);

/** An entry of a ZIP archive without a directory (APPNOTE 4.3.7); its sizes may be false ones. */
function zipEntry(name: string, content: Buffer, claimed = content.length): Buffer {
  const head = at(30, { 0: 'PK\x03\x04', 4: '\x14\0', 8: '\x08\0', 18: little(claimed), 22: little(claimed) });
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, latin(name), content]);
}

/** An entry of a tar archive (POSIX ustar) with the sum of its head. */
function tarEntry(name: string, size: string, content: Buffer, type = '0'): Buffer {
  const head = at(512, { 0: name, 100: '0000644\0', 124: size, 148: '        ', 156: type, 257: 'ustar\x0000' });
  const sum = head.reduce((total, byte) => total + byte, 0);
  latin(`${sum.toString(8).padStart(6, '0')}\0 `).copy(head, 148);
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function archives(): Record<string, Kind> {
  const types = deflateRawSync(
    latin(
      '<?xml version="1.0"?><Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
  );
  const docx = Buffer.concat([zipEntry('[Content_Types].xml', types), zipEntry('word/document.xml', types)]);
  const zeros = deflateRawSync(Buffer.alloc(60_000_000));
  const tar = tarEntry('a.txt', '00000000003\0', latin('abc'));
  const gzip = gzipSync(tar);
  const nestGzip = (depth: number) => {
    let inner: Buffer = Buffer.alloc(100_000);
    for (let level = 0; level < depth; level++) inner = gzipSync(inner);
    return inner;
  };
  return {
    docx: {
      whole: docx,
      attacks: [
        () => zipEntry('[Content_Types].xml', zeros),
        () => zipEntry('mimetype', zeros, 0xffffffff),
        (random) => repeat(random(6000), zipEntry('a/', Buffer.alloc(0))),
        (random) => zipEntry('n'.repeat(random(65_535)), types, 0),
      ],
    },
    epub: {
      whole: zipEntry('mimetype', deflateRawSync(latin('application/epub+zip'))),
      attacks: [(random) => zipEntry('mimetype', Buffer.alloc(random(200_000), 'a'), random(2 ** 31))],
    },
    gzip: {
      whole: gzip,
      attacks: [
        () => gzipSync(Buffer.alloc(60_000_000)),
        (random) => nestGzip(1 + random(20)),
        (random) => repeat(random(4000), gzip),
        (random) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0x1f]), Buffer.alloc(random(200_000), 'n')]),
      ],
    },
    tar: {
      whole: tar,
      attacks: [
        () => tarEntry('a', '77777777777\0', latin('abc')),
        () => tarEntry('a', '\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', latin('abc')),
        (random) => repeat(random(400), tarEntry('././@LongLink', '00000000777\0', Buffer.alloc(511, 'a'), 'L')),
      ],
    },
    '7z': {
      whole: at(64, { 0: '7z\xbc\xaf\x27\x1c\0\x04' }),
      attacks: [(random) => at(64, { 0: '7z\xbc\xaf\x27\x1c\0\x04', 12: words(random(2 ** 31), 0xffffffff) })],
    },
    rar: { whole: at(64, { 0: 'Rar!\x1a\x07\x01\0' }), attacks: [() => repeat(5000, 'Rar!\x1a\x07\x01\0')] },
    xz: { whole: at(64, { 0: '\xfd7zXZ\0\0\x04' }), attacks: [() => repeat(5000, '\xfd7zXZ\0\0\x04')] },
  };
}

function pictures(): Record<string, Kind> {
  const head = Buffer.concat([words(4, 4), Buffer.from([8, 6, 0, 0, 0])]);
  const png = Buffer.concat([latin('\x89PNG\r\n\x1a\n'), pngChunk('IHDR', head)]);
  const ico = at(64, { 0: '\0\0\x01\0\x01\0\x10\x10', 14: little(40, 22) });
  const jp2 = Buffer.concat([box('jP  ', words(0x0d0a870a)), box('ftyp', latin('jp2 \0\0\0\0jp2 '))]);
  const jxl = Buffer.concat([box('JXL ', words(0x0d0a870a)), box('ftyp', latin('jxl \0\0\0\0jxl '))]);
  return {
    bmp: {
      whole: at(200, { 0: 'BM', 2: little(200, 0, 54, 40, 4, 4, 0x180001) }),
      attacks: [
        (random) => at(200, { 0: 'BM', 2: little(random(2 ** 31), 0, 0xffffffff, 40, 0x7fffffff, 0x80000000) }),
      ],
    },
    ico: {
      whole: ico,
      attacks: [(random) => Buffer.concat([Buffer.from([0, 0, 1, 0, 255, 255]), Buffer.alloc(random(100_000), 255)])],
    },
    psd: {
      whole: at(100, { 0: '8BPS\0\x01', 13: '\x03', 14: words(8, 8) }),
      attacks: [(random) => at(100, { 0: '8BPS\0\x01', 12: '\0\x38', 14: words(random(2 ** 31), 30_000, 0x100003) })],
    },
    jp2: {
      whole: jp2,
      attacks: [
        () => Buffer.concat([jp2, box('jp2h', box('ihdr', words(0x7fffffff, 0x7fffffff, 0x4000ff07, 0)))]),
        (random) => Buffer.concat([jp2, box('jp2c', Buffer.alloc(100), random(8)), jp2]),
      ],
    },
    jxl: {
      whole: jxl,
      attacks: [
        () => Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.alloc(60_000, 0xff)]),
        (random) => Buffer.concat([jxl, ...Array<Buffer>(random(5000)).fill(box('brob', latin('xml ')))]),
      ],
    },
    raw: {
      whole: tiffOf(16, 16, 1),
      attacks: [
        // The marks of raw pictures of cameras, which are read as TIFF: CR2, ORF and RW2.
        (random) => at(4000, { 0: 'II*\0\x10\0\0\0CR\x02\0', 16: `\xff\xff${'\x69\x87'.repeat(random(1900))}` }),
        () => at(4000, { 0: 'IIRO\x08\0\0\0\x18', 9: '\xff\xff' }),
        () => at(4000, { 0: 'IIU\0\x18\0\0\0\x88\xe7\x74\xd8', 24: '\xff\xff' }),
      ],
    },
    apng: {
      whole: Buffer.concat([png, pngChunk('acTL', words(1, 0))]),
      attacks: [
        (random) => Buffer.concat([png, repeat(random(9000), pngChunk('tEXt', latin('a')))]),
        (random) => Buffer.concat([png, words(random(2 ** 31)), latin('iTXt'), Buffer.alloc(9000)]),
      ],
    },
  };
}

/** A chunk of a PNG, with a false sum. */
const pngChunk = (name: string, body: Buffer) => Buffer.concat([words(body.length), latin(name), body, words(0)]);

/** An object of ASF: an identifier of 16 bytes and a size of 64 bits, which may be a false one. */
const asfObject = (id: string, body: Buffer, claimed = body.length + 24) =>
  Buffer.concat([Buffer.from(id, 'hex'), little(claimed, 0), body]);

function containers(): Record<string, Kind> {
  const asf_head = '3026b2758e66cf11a6d900aa0062ce6c';
  const asf = asfObject(
    asf_head,
    Buffer.concat([little(1), latin('\x01\x02'), asfObject('a1dcab8c47a9cf118ee400c00c205365', Buffer.alloc(80))]),
  );
  const avi = chunk('RIFF', Buffer.concat([latin('AVI '), chunk('LIST', latin('hdrl'))]));
  const mkv = Buffer.concat([
    Buffer.from('1a45dfa38f4282886d6174726f736b6142f78101', 'hex'),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
  ]);
  const flv = Buffer.concat([latin('FLV\x01\x05'), words(9, 0)]);
  const packet = at(188, { 0: 'G\x40\0\x10' });
  const brand = (name: string) =>
    Buffer.concat([box('ftyp', latin(`${name}\0\0\0\0${name}`)), video_mp4.subarray(video_mp4.readUInt32BE(0))]);
  return {
    asf: {
      whole: asf,
      attacks: [
        // An object of no length, at which a reader that skips it stays.
        () =>
          asfObject(asf_head, Buffer.concat([little(3), latin('\x01\x02'), asfObject(asf_head, Buffer.alloc(64), 0)])),
        (random) =>
          asfObject(asf_head, Buffer.concat([little(0xffffffff), latin('\x01\x02'), Buffer.alloc(random(100_000))])),
        (random) =>
          asfObject(asf_head, repeat(random(5000), asfObject('9107dcb7b7a9cf118ee600c00c205365', Buffer.alloc(0), 24))),
      ],
    },
    avi: {
      whole: avi,
      attacks: [
        (random) =>
          chunk('RIFF', Buffer.concat([latin('AVI '), repeat(random(20_000), chunk('LIST', Buffer.alloc(0)))])),
        () => chunk('RIFF', Buffer.concat([latin('AVI '), chunk('LIST', latin('hdrl'), 0xffffffff)]), 0),
      ],
    },
    flv: {
      whole: flv,
      attacks: [(random) => Buffer.concat([flv, repeat(random(9000), '\x09\xff\xff\xff\0\0\0\0\0\0\0')])],
    },
    mkv: {
      whole: mkv,
      attacks: [
        (random) =>
          Buffer.concat([mkv, repeat(random(20_000), Buffer.from('1654ae6b', 'hex')), Buffer.alloc(90, 0xff)]),
        (random) => Buffer.concat([mkv, repeat(random(9000), Buffer.from('1254c36701ffffffffffffff', 'hex'))]),
      ],
    },
    mov: {
      whole: brand('qt  '),
      attacks: [
        () => Buffer.concat([box('moov', box('cmov', box('cmvd', words(0x7fffffff))))]),
        (random) =>
          Buffer.concat([box('wide', Buffer.alloc(0)), box('moov', box('udta', Buffer.alloc(8), random(2 ** 31)))]),
      ],
    },
    m4a: {
      whole: brand('M4A '),
      attacks: [
        (random) =>
          Buffer.concat([
            box('ftyp', latin('M4A ')),
            box('moov', box('udta', box('meta', repeat(random(9000), box('ilst', words(0)))))),
          ]),
        () =>
          Buffer.concat([
            brand('M4A '),
            box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stsd', words(0, 0xffffffff))))))),
          ]),
      ],
    },
    '3gp': { whole: brand('3gp4'), attacks: [() => Buffer.concat([box('ftyp', latin('3gp4'), 12), brand('3g2a')])] },
    ts: { whole: repeat(4, packet), attacks: [(random) => repeat(random(1300), at(188, { 0: 'G\x1f\xff\x30\xff' }))] },
    ps: {
      whole: latin('\0\0\x01\xba\x44\0\x04\0\x04\x01'),
      attacks: [(random) => repeat(random(20_000), '\0\0\x01\xba\x44')],
    },
  };
}

function sound(): Record<string, Kind> {
  const aiff = chunk('FORM', Buffer.concat([latin('AIFF'), chunk('COMM', at(18, { 1: '\x01' }), 18, true)]), 34, true);
  const wavpack = at(40, { 0: 'wvpk', 4: little(32), 8: '\x10\x04' });
  const dsf = Buffer.concat([latin('DSD '), little(28, 0, 92, 0, 0, 0)]);
  const caf = Buffer.concat([latin('caff\0\x01\0\0'), chunk('desc', words(0), 32, true)]);
  const ape = at(200, { 0: 'MAC \x96\x0f\0\0', 8: little(52, 24) });
  const tagged = (body: Buffer) =>
    Buffer.concat([body, latin('APETAGEX'), little(2000, 0x7fffffff, 0x7fffffff, 0xa0000000, 0, 0)]);
  return {
    aiff: {
      whole: aiff,
      attacks: [
        () => chunk('FORM', Buffer.concat([latin('AIFC'), chunk('COMM', Buffer.alloc(18), 0xffffffff, true)]), 1, true),
        (random) =>
          chunk(
            'FORM',
            Buffer.concat([latin('AIFF'), repeat(random(20_000), chunk('ID3 ', Buffer.alloc(0)))]),
            9,
            true,
          ),
      ],
    },
    wavpack: {
      whole: wavpack,
      attacks: [(random) => repeat(random(5000), at(32, { 0: 'wvpk', 4: little(random(64)) }))],
    },
    ape: {
      whole: ape,
      attacks: [
        () => tagged(ape),
        () => tagged(tone_mp3),
        (random) => at(80, { 0: 'MAC ', 8: little(random(2 ** 31), 0xffffffff) }),
      ],
    },
    dsf: {
      whole: dsf,
      attacks: [(random) => Buffer.concat([dsf, repeat(random(9000), chunk('fmt ', Buffer.alloc(8), 0))])],
    },
    caf: { whole: caf, attacks: [() => Buffer.concat([caf, chunk('data', words(0xffffffff), 0xffffffff, true)])] },
    midi: {
      whole: latin('MThd\0\0\0\x06\0\x01\0\x01\0\x60MTrk\0\0\0\0'),
      attacks: [(random) => repeat(random(9000), 'MThd\xff\xff\xff\xff')],
    },
    amr: {
      whole: latin('#!AMR\n'),
      attacks: [(random) => Buffer.concat([latin('#!AMR\n'), Buffer.alloc(random(200_000), 0x7c)])],
    },
    // Ogg pages of another codec, and two streams in turn.
    oga: {
      whole: at(90, { 0: 'OggS\0\x02', 26: '\x01\x1e', 28: '\x01vorbis' }),
      attacks: [
        (random) =>
          repeat(
            random(2000),
            at(90, { 0: 'OggS\0\x02', 14: words(random(2 ** 31)), 26: '\x01\x1e', 28: '\x7fFLAC\x01' }),
          ),
        () => Buffer.concat([at(90, { 0: 'OggS\0\x02', 26: '\x01\x1e', 28: 'Speex   ' }), tone_opus]),
        () => at(9000, { 0: 'OggS\0\x02', 26: '\xff'.repeat(256) }),
      ],
    },
  };
}

function texts(): Record<string, Kind> {
  const rtf = latin('{\\rtf1\\ansi a}');
  const xml = Buffer.from('<?xml version="1.0"?><a>b</a>');
  const sixteen = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  return {
    rtf: { whole: rtf, attacks: [(random) => latin(`{\\rtf1${'{'.repeat(random(100_000))}`)] },
    xml: {
      whole: xml,
      attacks: [
        (random) => Buffer.from(`<?xml version="1.0"?>${'<a '.repeat(random(50_000))}`),
        () => sixteen(`<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a SYSTEM "http://127.0.0.1:1/">`),
      ],
    },
    html: {
      whole: Buffer.from('<!doctype html><p>a'),
      attacks: [
        () => Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;'),
        () => sixteen('<script>alert(1)</script>'),
      ],
    },
  };
}

/** The kinds by their names. */
export const hostileFormats = (): Record<string, Kind> => ({
  ...archives(),
  ...pictures(),
  ...containers(),
  ...sound(),
  ...texts(),
});
