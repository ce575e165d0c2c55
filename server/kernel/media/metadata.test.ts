import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { video_mp4, tone_mp3, tone_opus } from '../../testing/samples/recordings.ts';
import { ApiError } from '../errors.ts';
import { stripMetadata } from './metadata.ts';
import { slow } from '../../../testing/slow-tests.ts';

const secret = 'Nobody Anybody, +48.8577+002.295/';
const hidden = Buffer.from(secret);
const u32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 0xff));
const le32 = (value: number) => Buffer.from(u32(value).toReversed());
const bytesOf = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

/** An MP4 box. */
const box = (type: string, ...parts: (Buffer | string)[]) => {
  const body = bytesOf(...parts);
  return bytesOf(u32(body.length + 8), type, body);
};
const table = (type: string, ...numbers: number[]) => box(type, u32(0), ...numbers.map(u32));
/** A track whose samples of 8 bytes are in one chunk. */
const track = (handler: string, offset: number, samples: number, ...more: Buffer[]) =>
  box(
    'trak',
    box('tkhd', u32(0), u32(0xd0000001), u32(0xd0000002), u32(7)),
    ...more,
    box(
      'mdia',
      box('mdhd', u32(0), u32(0xd0000003), u32(0xd0000004), u32(9)),
      box('hdlr', u32(0), u32(0), handler),
      box('minf', box('stbl', table('stsz', 8, samples), table('stsc', 1, 1, samples, 1), table('stco', 1, offset))),
    ),
  );
/** A video with a track of locations, as cameras write it: two frames, then three locations. */
const video = (handler = 'meta') => {
  const samples = bytesOf('picture1picture2', '+48.8577', '+002.295', '+48.8577');
  const build = (at: number) =>
    bytesOf(
      box('ftyp', 'isom', u32(0)),
      box('free', hidden),
      box(
        'moov',
        box('mvhd', u32(0x01000000), Buffer.alloc(16, 0xdd), u32(5)),
        track('vide', at, 2, box('udta', hidden), box('meta', hidden)),
        track(handler, at + 16, 3),
        box('udta', box('\xa9xyz', hidden), u32(0)),
        box('uuid', hidden),
      ),
      box('mdat', samples),
    );
  return build(build(0).length - samples.length);
};

/** An EBML element with a size of one byte. */
const element = (id: string, ...parts: (Buffer | string)[]) => {
  const body = bytesOf(...parts);
  return bytesOf(Buffer.from(id, 'hex'), Buffer.from([0x80 | body.length]), body);
};
const open_end = Buffer.from('01ffffffffffffff', 'hex');
const webm = bytesOf(
  element('1a45dfa3', element('4282', 'webm')),
  Buffer.from('18538067', 'hex'),
  open_end,
  element('114d9b74', element('4dbb', element('53ab', Buffer.from('1254c367', 'hex')), element('53ac', '\x7f'))),
  element(
    '1549a966',
    element('bf', 'crc!'),
    element('2ad7b1', '\x0f\x42\x40'),
    element('7ba9', hidden),
    element('4461', 'moment!!'),
  ),
  element('1654ae6b', element('ae', element('d7', '\x01'), element('536e', hidden))),
  Buffer.from('1f43b675', 'hex'),
  open_end,
  element('e7', '\0'),
  element('a3', '\x81\0\0\x80picture'),
  element('1254c367', hidden),
  element('1941a469', hidden),
);

const chunk = (name: string, body: Buffer, size = body.length) =>
  bytesOf(name, le32(size), body, Buffer.alloc(body.length % 2));
const wave = (...chunks: Buffer[]) => {
  const body = bytesOf('WAVE', ...chunks);
  return bytesOf('RIFF', le32(body.length), body);
};
const format = chunk('fmt ', Buffer.alloc(16, 1));
const data_chunk = chunk('data', Buffer.from('sound'));

const flacBlock = (type: number, body: Buffer) => bytesOf(u32((type << 24) | body.length), body);
const info = Buffer.alloc(34, 2);

const id3v2 = bytesOf('ID3\x04\0\0', Buffer.from([0, 0, 0, hidden.length]), hidden);
const id3v1 = bytesOf('TAG', hidden, Buffer.alloc(125 - hidden.length));
const ape = bytesOf(hidden, 'APETAGEX', le32(2000), le32(hidden.length + 32), le32(1), Buffer.alloc(12));

/** Every format with a secret in each kind of metadata, and its content type. */
const recordings = {
  mp3: ['audio/mpeg', bytesOf(id3v2, id3v2, tone_mp3, ape, id3v1)],
  wav: ['audio/wav', wave(format, chunk('LIST', bytesOf('INFO', hidden)), data_chunk, chunk('id3 ', hidden))],
  flac: [
    'audio/flac',
    bytesOf('fLaC', flacBlock(0, info), flacBlock(6, hidden), flacBlock(0x84, hidden), '\xff\xf8sound'),
  ],
  mp4: ['video/mp4', video()],
  webm: ['video/webm', webm],
  opus: ['audio/ogg', tone_opus],
} satisfies Record<string, [string, Buffer]>;

/** The checksum of an Ogg page, bit by bit (RFC 3533, section 6). */
const sumOfPage = (page: Buffer) =>
  Buffer.concat([page.subarray(0, 22), Buffer.alloc(4), page.subarray(26)]).reduce((sum, byte) => {
    let next = (sum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) next = (next & 0x80000000 ? (next << 1) ^ 0x04c11db7 : next << 1) >>> 0;
    return next;
  }, 0);

describe('metadata', () => {
  it.each(Object.entries(recordings).filter(([name]) => name !== 'opus'))(
    'is removed from %s',
    (_name, [type, bytes]) => {
      const before = Buffer.from(bytes);
      const bare = stripMetadata(bytes, type);
      for (const part of [secret, '+48.8577', 'Nobody', 'moment!!'])
        expect([part, bare.includes(part)]).toEqual([part, false]);
      expect(bytes.equals(before)).toBe(true);
      expect(stripMetadata(bare, type).equals(bare)).toBe(true);
    },
  );

  it('is removed from audio without a change of the audio data', () => {
    expect(stripMetadata(recordings.mp3[1], 'audio/mpeg').equals(tone_mp3)).toBe(true);
    expect(stripMetadata(recordings.wav[1], 'audio/wav')).toEqual(wave(format, data_chunk));
    expect(stripMetadata(recordings.flac[1], 'audio/flac')).toEqual(
      bytesOf('fLaC', flacBlock(0x80, info), '\xff\xf8sound'),
    );
    expect(stripMetadata(bytesOf(id3v2, wave(format, data_chunk), id3v1), 'audio/wav')).toEqual(
      wave(format, data_chunk),
    );
  });

  it('is removed from a truncated WAV file, whose size is corrected', () => {
    for (const size of [0, 0xffffffff, 4711]) {
      const cut = wave(format, chunk('data', Buffer.from('sound!'), size));
      expect(stripMetadata(cut, 'audio/wav')).toEqual(wave(format, chunk('data', Buffer.from('sound!'))));
    }
  });

  it('is removed from MP4 without a change of offsets and frames, with location tracks and creation times', () => {
    const bare = stripMetadata(video(), 'video/mp4');
    expect(bare.length).toBe(video().length);
    expect(bare.indexOf('picture1picture2')).toBe(video().indexOf('picture1picture2'));
    expect(bare.subarray(-24)).toEqual(Buffer.alloc(24));
    expect(bare.toString('latin1').match(/trak/g)).toHaveLength(1);
    for (const timestamp of ['d0000001', 'd0000002', 'd0000003', 'd0000004', 'dddddddd'])
      expect(bare.includes(Buffer.from(timestamp, 'hex'))).toBe(false);
    // An audio track is unchanged.
    expect(stripMetadata(video('soun'), 'video/mp4').includes('+48.8577+002.295')).toBe(true);
    expect(stripMetadata(video_mp4, 'video/mp4').includes('VideoHandler')).toBe(true);
  });

  it('is removed from WebM of unknown length without a change of offsets and frames', () => {
    const bare = stripMetadata(webm, 'video/webm');
    expect([bare.length, bare.indexOf('picture')]).toEqual([webm.length, webm.indexOf('picture')]);
    expect(bare.includes('crc!')).toBe(false);
    expect(bare.includes(Buffer.from('1254c367', 'hex'))).toBe(false);
  });

  it('is removed from the comments of Ogg, whose checksums are updated', () => {
    expect(tone_opus.includes('ffmpeg')).toBe(true);
    const bare = stripMetadata(tone_opus, 'audio/ogg');
    expect([bare.length, bare.includes('ffmpeg'), bare.includes('Lavc')]).toEqual([tone_opus.length, false, false]);
    let pages = 0;
    for (let at = 0; at >= 0; pages++) {
      const next = bare.indexOf('OggS', at + 4);
      const page = bare.subarray(at, next < 0 ? bare.length : next);
      expect(sumOfPage(page)).toBe(page.readUInt32LE(22));
      at = next;
    }
    expect(pages).toBeGreaterThan(2);
    // The data after the comments is unchanged.
    expect(bare.subarray(-600).equals(tone_opus.subarray(-600))).toBe(true);
  });

  const refused = (bytes: Buffer, type: string) => {
    try {
      stripMetadata(bytes, type);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return Object.keys(error.fields ?? {});
    }
  };

  it('is rejected when it is inconsistent', () => {
    expect(refused(bytesOf('ID3\x04\0\0\x7f\x7f\x7f\x7f', tone_mp3), 'audio/mpeg')).toEqual(['file']);
    expect(refused(id3v2, 'audio/mpeg')).toEqual(['file']);
    expect(refused(bytesOf('fLaC', flacBlock(4, hidden)), 'audio/flac')).toEqual(['file']);
    expect(refused(bytesOf(box('ftyp', 'isom'), u32(7), 'moov'), 'video/mp4')).toEqual(['file']);
    expect(refused(box('moov', box('cmov', hidden)), 'video/quicktime')).toEqual(['file']);
    expect(refused(bytesOf(video(), box('moof')), 'video/mp4')).toEqual(['file']);
    expect(refused(bytesOf(webm, Buffer.from('a0', 'hex'), open_end), 'video/webm')).toEqual(['file']);
    const oversized_tag = bytesOf('APETAGEX', le32(2000), le32(1 << 30), Buffer.alloc(16));
    expect(refused(bytesOf(tone_mp3, oversized_tag), 'audio/mpeg')).toEqual(['file']);
    // Two location tracks that together claim more bytes than there are.
    const twoTracks = (samples: number) =>
      box('moov', track('meta', 1 << 30, samples), track('meta', 1 << 30, samples));
    const size_bytes = twoTracks(0).length;
    expect(refused(twoTracks(Math.floor(size_bytes / 8 / 2)), 'video/mp4')).toBeUndefined();
    expect(refused(twoTracks(Math.ceil((size_bytes / 8) * 0.6)), 'video/mp4')).toEqual(['file']);
    // A single track that claims more bytes than there are.
    expect(refused(box('moov', track('meta', 0, 1 << 20)), 'video/mp4')).toEqual(['file']);
  });

  it('is removed or rejected in any corrupted file, without a change of the input', () => {
    for (const [type, whole] of Object.values(recordings)) {
      const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff) });
      fc.assert(
        fc.property(fc.nat(whole.length), fc.array(change, { maxLength: 6 }), (length, changes) => {
          const bytes = Buffer.from(whole);
          for (const { at, to } of changes) bytes[at] = to;
          const input = bytes.subarray(0, length);
          const before = Buffer.from(input);
          for (const content_type of new Set([type, 'audio/mpeg', 'video/mp4']))
            expect([undefined, ['file']]).toContainEqual(refused(input, content_type));
          expect(input.equals(before)).toBe(true);
        }),
        { numRuns: 150 },
      );
    }
  });

  it('is processed in linear time, also in long files with false sizes', slow, () => {
    const many = 40_000;
    const hostile_files: [string, Buffer][] = [
      ['video/mp4', box('moov', ...Array.from({ length: many }, () => track('meta', 0, 40)))],
      ['video/mp4', bytesOf(...Array.from({ length: many }, () => box('udta')))],
      ['audio/ogg', Buffer.from('OggS'.repeat(many))],
      ['audio/wav', wave(...Array.from({ length: many }, () => chunk('fmt ', Buffer.alloc(0))))],
      ['audio/mpeg', Buffer.concat(Array.from({ length: many }, () => id3v1))],
      ['video/webm', bytesOf(webm, Buffer.alloc(many, 'ec80', 'hex'))],
    ];
    // A quadratic algorithm would exceed the timeout of the test.
    for (const [type, bytes] of hostile_files) expect([undefined, ['file']]).toContainEqual(refused(bytes, type));
  });
});
