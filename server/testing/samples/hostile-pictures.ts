/** Pictures that claim what they do not have, and the boxes and words that files of pictures and video are made of. */
import { crc32 } from 'node:zlib';
import { blankPng } from './media.ts';

/** A box of an ISO base media file; its size may be a false one. */
export const box = (name: string, body: Buffer, claimed?: number) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(claimed ?? body.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** Unsigned integers of 32 bits, big-endian. */
export const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
};

/** A HEIF picture that is a grid of itself, 65,536 times, and whose item has no end (ISO 23008-12). */
export function heifOf(brand: string): Buffer {
  const grid = Buffer.concat([Buffer.from([0, 1, 255, 255]), words(0xffffffff, 0xffffffff)]);
  const item = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from('grid\0')]);
  const meta = [
    words(0),
    box('hdlr', Buffer.concat([words(0, 0), Buffer.from('pict'), Buffer.alloc(13)])),
    box('pitm', Buffer.from([0, 0, 0, 0, 0, 1])),
    box('iinf', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1]), box('infe', item)])),
    box('iref', Buffer.concat([words(0), box('dimg', Buffer.from([0, 1, 0, 2, 0, 1, 0, 1]))])),
    box('iloc', Buffer.concat([words(0x01000000, 0x44000001, 0x00010001, 1, 0, 0xffffffff)])),
    box('idat', grid),
  ];
  return Buffer.concat([box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`)), box('meta', Buffer.concat(meta))]);
}

/** A TIFF of a size that its strips do not have, with many directories, the last of which leads to the first (TIFF 6.0). */
export function tiffOf(width: number, height: number, directories: number): Buffer {
  const entry = (tag: number, type: number, value: number) =>
    Buffer.concat([Buffer.from([tag >> 8, tag & 255, 0, type]), words(1, type === 3 ? value << 16 : value)]);
  const entries = [
    entry(256, 4, width),
    entry(257, 4, height),
    entry(258, 3, 8),
    entry(259, 3, 1),
    entry(262, 3, 1),
    entry(273, 4, 8),
    entry(277, 3, 1),
    entry(278, 4, 1),
    entry(279, 4, 0x7fffffff),
  ];
  const bytes = 2 + entries.length * 12 + 4;
  const parts = Array.from({ length: directories }, (_, index) => [
    Buffer.from([0, entries.length]),
    ...entries,
    words(index + 1 < directories ? 8 + (index + 1) * bytes : 8),
  ]);
  return Buffer.concat([Buffer.from('MM\0*'), words(8), ...parts.flat()]);
}

/** A PNG whose header claims a size that its data does not have. */
export function pngOf(width: number, height: number, data: Buffer): Buffer {
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
