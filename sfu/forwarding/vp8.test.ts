import { expect, test } from 'vitest';
import { createVp8Rewriter, parseVp8 } from './vp8.ts';

/** Creates a payload with a 15-bit picture id, a TL0 index and a temporal layer. */
function makePayload(picture_id: number, tl0_index: number, key_frame: boolean): Buffer {
  return Buffer.from([
    0x90,
    0xe0,
    0x80 | (picture_id >> 8),
    picture_id & 0xff,
    tl0_index,
    0x20,
    key_frame ? 0x10 : 0x11,
    7,
  ]);
}
const parse = (payload: Buffer) => {
  const descriptor = parseVp8(payload);
  if (!descriptor) throw new Error('not parsed');
  return descriptor;
};

test('reads picture id, TL0 index and key frame', () => {
  expect(parse(makePayload(0x1234, 9, true))).toMatchObject({ picture_id: 0x1234, tl0_index: 9, key_frame: true });
  expect(parse(makePayload(5, 1, false)).key_frame).toBe(false);
  // A continuation packet is not a key frame, whatever its first byte is.
  expect(parse(Buffer.from([0x00, 0x10])).key_frame).toBe(false);
  expect(parse(Buffer.from([0x90, 0x80, 0x11, 0x10]))).toMatchObject({
    picture_id: 0x11,
    picture_id_bits: 7,
    key_frame: true,
  });
});

test('returns undefined for truncated payloads', () => {
  for (const bytes of [[], [0x90], [0x90, 0x80], [0x90, 0xe0, 0x80, 1, 2, 3]])
    expect(parseVp8(Buffer.from(bytes))).toBeUndefined();
});

test('ids continue without a gap over a switch, and wrap at 15 and 8 bits', () => {
  const rewriter = createVp8Rewriter();
  const pass = (payload: Buffer) => parse(rewriter.rewrite(payload, parse(payload)));
  const first = makePayload(0x7ffe, 254, true);
  rewriter.switchTo(parse(first));
  expect(rewriter.rewrite(first, parse(first))).toBe(first);
  pass(makePayload(0x7fff, 255, false));
  const other = makePayload(100, 50, true);
  const original = Buffer.from(other);
  rewriter.switchTo(parse(other));
  expect(pass(other)).toMatchObject({ picture_id: 0, tl0_index: 0, key_frame: true });
  expect(pass(makePayload(101, 51, false))).toMatchObject({ picture_id: 1, tl0_index: 1 });
  // The payload is shared with other receivers and must not be modified.
  expect(other).toEqual(original);
});
