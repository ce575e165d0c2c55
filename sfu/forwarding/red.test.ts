import { expect, test } from 'vitest';
import { findPrimary } from './red.ts';

test('returns the primary block after the redundant ones, and undefined for malformed payloads', () => {
  const [old, older, newest] = [Buffer.from('old'), Buffer.from('older'), Buffer.from('newest')];
  const head = (type: number, offset: number, length: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(((0x80 | type) * 2 ** 24 + (offset << 10) + length) >>> 0);
    return bytes;
  };
  const payload = Buffer.concat([head(111, 1_920, 5), head(111, 960, 3), Buffer.from([111]), older, old, newest]);
  expect(findPrimary(payload)).toEqual(newest);
  expect(findPrimary(Buffer.concat([Buffer.from([111]), newest]))).toEqual(newest);
  expect(findPrimary(payload.subarray(0, 12))).toBeUndefined();
  expect(findPrimary(Buffer.from([0x80 | 111, 0, 0]))).toBeUndefined();
  expect(findPrimary(Buffer.alloc(0))).toBeUndefined();
});
