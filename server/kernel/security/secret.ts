/** Secrets: creates tokens and codes, hashes what is only compared, and encrypts what must be read again. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Token prefixes: of accounts, and of guests. */
export type TokenPrefix = 'ast_' | 'astg_';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A new bearer token: the prefix, 32 random bytes in base 62 and a CRC-32 in base 62, so that a mistyped token is
 * refused without a lookup and leaked ones can be found by scanners.
 */
export function generateToken(prefix: TokenPrefix = 'ast_'): string {
  const body = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
  return prefix + body + checksum(body);
}

/** Whether a text is formally a token: prefix, length and checksum. */
export function looksLikeToken(text: string, prefix: TokenPrefix = 'ast_'): boolean {
  if (!text.startsWith(prefix) || !/^[0-9A-Za-z]{49}$/.test(text.slice(prefix.length))) return false;
  const body = text.slice(prefix.length, -6);
  return checksum(body) === text.slice(-6);
}

/** The stored form of a token. Tokens are random, so that one round of SHA-256 is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), 6);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text;
  return text;
}

/** A code of six digits for a person to type. */
export function generateCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Compares two texts in constant time. */
export function equalSecret(one: string, other: string): boolean {
  const [a, b] = [createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest()];
  return timingSafeEqual(a, b);
}

/** What needs the service's secret. */
export type Secrets = {
  /**
   * The stored form of a code: an HMAC under the service's key, because a plain hash of six digits is easily guessed.
   */
  hashCode(owner: string, code: string): string;
  /** Signs a short text, for addresses that contain their own permission. */
  sign(purpose: string, value: string): string;
  verify(purpose: string, value: string, signature: string): boolean;
  /** Encrypts what must be read again (such as a queued mail), with AES-256-GCM. */
  seal(value: unknown): string;
  /** @throws when the encrypted text was altered or encrypted with another key */
  unseal(sealed: string): unknown;
};

/** Derives all keys of the service from one secret (HKDF, RFC 5869), so that an operator must store only one. */
export function createSecrets(service_key: Uint8Array): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', service_key, '', `asterism ${purpose}`, 32));
  const [code_key, sign_key, seal_key] = [derive('code'), derive('sign'), derive('seal')];
  const sign = (purpose: string, value: string) =>
    createHmac('sha256', sign_key).update(`${purpose}\0${value}`).digest('base64url');
  return {
    hashCode: (owner, code) => createHmac('sha256', code_key).update(`${owner}\0${code}`).digest('base64url'),
    sign,
    verify: (purpose, value, signature) => equalSecret(sign(purpose, value), signature),
    seal(value) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', seal_key, nonce);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', seal_key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'));
    },
  };
}
