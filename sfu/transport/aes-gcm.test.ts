import { createCipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomFrom, seedOf, usual_seed } from '../../testing/seed.ts';
import { AesGcm, TAG_BYTES } from './aes-gcm.ts';

const random = randomFrom(seedOf(usual_seed).seed);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

test('passes test case 4 of the test vectors of the specification', () => {
  const gcm = new AesGcm(Buffer.from('feffe9928665731c6d6a8f9467308308', 'hex'));
  const nonce = Buffer.from('cafebabefacedbaddecaf888', 'hex');
  const signed = Buffer.from('feedfacedeadbeeffeedfacedeadbeefabaddad2', 'hex');
  const text = Buffer.from(
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    'hex',
  );
  const message = Buffer.concat([signed, text, Buffer.alloc(TAG_BYTES)]);
  gcm.seal(message, signed.length, nonce);
  expect(message.subarray(signed.length).toString('hex')).toBe(
    '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091' +
      '5bc94fbc3221a5db94fae95ae7121a47',
  );
  expect(gcm.open(message, signed.length, nonce)).toEqual(text);
});

test('agrees with OpenSSL at every length, and rejects altered messages', () => {
  const key = randomBytes(16);
  const gcm = new AesGcm(key);
  for (let length = 0; length < 900; length = length < 420 ? length + 1 : length + 31) {
    const [signed, text, nonce] = [randomBytes(12 + (length % 5) * 4), randomBytes(length), randomBytes(12)];
    const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(signed);
    const expected = Buffer.concat([signed, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    const message = Buffer.concat([signed, text, Buffer.alloc(TAG_BYTES)]);
    gcm.seal(message, signed.length, nonce);
    expect(message.equals(expected)).toBe(true);
    expect(gcm.open(message, signed.length, nonce)?.equals(text)).toBe(true);
    const at = (length * 7) % message.length;
    message[at] = (message[at] ?? 0) ^ 0x10;
    expect(gcm.open(message, signed.length, nonce)).toBeUndefined();
  }
  expect(gcm.open(Buffer.alloc(20), 12, Buffer.alloc(12))).toBeUndefined();
});
