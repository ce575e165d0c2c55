/**
 * AES-128-GCM (NIST SP 800-38D) for many small messages under one key. `node:crypto` creates a cipher object for each
 * message, which costs twice as much as the encryption; here one stateless ECB cipher generates the key stream, and
 * GHASH is computed by table (SP 800-38D refers to McGrew and Viega, "The Galois/Counter Mode of Operation", 4.1). The
 * tables are indexed by the hashed data, so that their timing could leak the key to somebody who shares the processor's
 * caches, but not to somebody who sees packets. Messages above `SMALL_BYTES` go to `node:crypto`, which is then faster.
 */
import { createCipheriv, createDecipheriv, timingSafeEqual, type Cipheriv } from 'node:crypto';

/** The length of the authentication tag. */
export const TAG_BYTES = 16;
const SMALL_BYTES = 384;
const BLOCK = 16;

/** The reduction of the eight bits shifted out of a word: multiplication by x^8 modulo x^128 + x^7 + x^2 + x + 1. */
const REDUCTION = Int32Array.from({ length: 256 }, (_, byte) => {
  let [top, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    top = (top >>> 1) ^ (low & 1 ? 0xe1000000 : 0);
    low >>>= 1;
  }
  return top;
});

/** The products of the hash key with every byte, four words each. */
function makeTable(hash_key: Buffer): Int32Array {
  const table = new Int32Array(256 * 4);
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => hash_key.readInt32BE(at)) as [number, number, number, number];
  for (let bit = 0x80; bit > 0; bit >>= 1) {
    table.set([a, b, c, d], bit * 4);
    const carry = d & 1;
    d = (d >>> 1) | (c << 31);
    c = (c >>> 1) | (b << 31);
    b = (b >>> 1) | (a << 31);
    a = (a >>> 1) ^ (carry ? 0xe1000000 : 0);
  }
  for (let high = 2; high < 256; high <<= 1)
    for (let low = 1; low < high; low++)
      for (let word = 0; word < 4; word++)
        table[(high + low) * 4 + word] = (table[high * 4 + word] as number) ^ (table[low * 4 + word] as number);
  return table;
}

/** Encrypts and decrypts under one key. Not to be shared between threads. */
export class AesGcm {
  readonly #key: Buffer;
  readonly #ecb: Cipheriv;
  readonly #table: Int32Array;
  /** Counter blocks: the nonce of a message precedes each counter. */
  readonly #counters = Buffer.alloc((SMALL_BYTES / BLOCK + 1) * BLOCK);
  readonly #hash = new Int32Array(4);
  readonly #block = new Int32Array(4);
  readonly #tail = Buffer.alloc(BLOCK);

  /** @param key 16 bytes */
  constructor(key: Buffer) {
    this.#key = key;
    this.#ecb = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    this.#table = makeTable(this.#ecb.update(Buffer.alloc(BLOCK)));
    for (let block = 0; block * BLOCK < this.#counters.length; block++)
      this.#counters.writeUInt32BE(block + 1, block * BLOCK + 12);
  }

  /** The key stream of a nonce: first the block that masks the tag, then those for the text. */
  #makeStream(nonce: Buffer, text_bytes: number): Buffer {
    const bytes = (Math.ceil(text_bytes / BLOCK) + 1) * BLOCK;
    for (let at = 0; at < bytes; at += BLOCK) this.#counters.set(nonce, at);
    return this.#ecb.update(this.#counters.subarray(0, bytes));
  }

  /** Adds a block to the hash and multiplies by the hash key, one byte at a time, from the last to the first. */
  #multiply(a: number, b: number, c: number, d: number): void {
    const table = this.#table;
    const hash = this.#hash;
    const block = this.#block;
    block[0] = (hash[0] as number) ^ a;
    block[1] = (hash[1] as number) ^ b;
    block[2] = (hash[2] as number) ^ c;
    block[3] = (hash[3] as number) ^ d;
    let w = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let word = 3; word >= 0; word--) {
      const value = block[word] as number;
      for (let shift = 0; shift < 32; shift += 8) {
        const entry = ((value >>> shift) & 0xff) << 2;
        const out = REDUCTION[z & 0xff] as number;
        z = ((z >>> 8) | (y << 24)) ^ (table[entry + 3] as number);
        y = ((y >>> 8) | (x << 24)) ^ (table[entry + 2] as number);
        x = ((x >>> 8) | (w << 24)) ^ (table[entry + 1] as number);
        w = (w >>> 8) ^ out ^ (table[entry] as number);
      }
    }
    hash[0] = w;
    hash[1] = x;
    hash[2] = y;
    hash[3] = z;
  }

  #absorb(data: Buffer, from: number, to: number): void {
    let at = from;
    for (; at + BLOCK <= to; at += BLOCK) this.#absorbBlock(data, at);
    if (at === to) return;
    // The last block is padded with zeros.
    this.#tail.fill(0);
    data.copy(this.#tail, 0, at, to);
    this.#absorbBlock(this.#tail, 0);
  }

  #absorbBlock(data: Buffer, at: number): void {
    this.#multiply(wordAt(data, at), wordAt(data, at + 4), wordAt(data, at + 8), wordAt(data, at + 12));
  }

  /** Writes the tag of `data`, whose text begins at `text_at`. */
  #writeTag(data: Buffer, text_at: number, text_end: number, stream: Buffer, into: Buffer, at: number): void {
    this.#hash.fill(0);
    this.#absorb(data, 0, text_at);
    this.#absorb(data, text_at, text_end);
    this.#multiply(0, text_at * 8, 0, (text_end - text_at) * 8);
    for (let byte = 0; byte < TAG_BYTES; byte++)
      into[at + byte] =
        (((this.#hash[byte >> 2] as number) >>> (24 - (byte & 3) * 8)) & 0xff) ^ (stream[byte] as number);
  }

  /**
   * Encrypts in place.
   * @param message the additional data, the text from `text_at` on, and 16 bytes for the tag
   * @param nonce 12 bytes, never used twice under the key
   */
  seal(message: Buffer, text_at: number, nonce: Buffer): void {
    const text_end = message.length - TAG_BYTES;
    if (text_end - text_at > SMALL_BYTES) {
      const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(message.subarray(0, text_at));
      cipher.update(message.subarray(text_at, text_end)).copy(message, text_at);
      cipher.final();
      cipher.getAuthTag().copy(message, text_end);
      return;
    }
    const stream = this.#makeStream(nonce, text_end - text_at);
    mask(message, text_at, text_end, stream);
    this.#writeTag(message, text_at, text_end, stream, message, text_end);
  }

  /** Decrypts into a new buffer. @returns the text, or undefined when the tag is wrong */
  open(message: Buffer, text_at: number, nonce: Buffer): Buffer | undefined {
    const text_end = message.length - TAG_BYTES;
    if (text_end < text_at) return undefined;
    const tag = message.subarray(text_end);
    if (text_end - text_at > SMALL_BYTES) {
      const decipher = createDecipheriv('aes-128-gcm', this.#key, nonce);
      decipher.setAAD(message.subarray(0, text_at)).setAuthTag(tag);
      const text = decipher.update(message.subarray(text_at, text_end));
      try {
        decipher.final();
        return text;
      } catch {
        return undefined;
      }
    }
    const stream = this.#makeStream(nonce, text_end - text_at);
    const expected = Buffer.allocUnsafe(TAG_BYTES);
    this.#writeTag(message, text_at, text_end, stream, expected, 0);
    if (!timingSafeEqual(tag, expected)) return undefined;
    const text = Buffer.from(message.subarray(text_at, text_end));
    mask(text, 0, text.length, stream);
    return text;
  }
}

/** Four bytes as a word; without the checks of `readInt32BE`, which cost as much as the multiplication. */
const wordAt = (data: Buffer, at: number): number =>
  ((data[at] as number) << 24) |
  ((data[at + 1] as number) << 16) |
  ((data[at + 2] as number) << 8) |
  (data[at + 3] as number);

/** XORs the key stream, after its first block, into the data. */
function mask(data: Buffer, from: number, to: number, stream: Buffer): void {
  for (let at = from; at < to; at++) data[at] = (data[at] as number) ^ (stream[BLOCK + at - from] as number);
}
