/** The part of STUN (RFC 8489) that an ICE-lite agent needs: parsing and answering binding requests. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { crc32 } from 'node:zlib';

const COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  xor_mapped_address: 0x0020,
  use_candidate: 0x0025,
  fingerprint: 0x8028,
} as const;

/** A connectivity check of the peer (RFC 8445, 7.3). */
export type BindingRequest = {
  transaction: Buffer;
  /** Our username fragment: the part of USERNAME before the colon. */
  local_ufrag: string;
  /** The peer has nominated this path (RFC 8445, 8.1.1). */
  use_candidate: boolean;
  /** Whether the message integrity is valid. */
  isSignedWith(password: string): boolean;
};

/** Whether a datagram is STUN, by its first bytes (RFC 7983, 7). */
export const isStun = (data: Buffer): boolean =>
  data.length >= HEADER_BYTES && (data[0] ?? 255) < 4 && data.readUInt32BE(4) === COOKIE;

const hmac = (password: string, content: Buffer): Buffer => createHmac('sha1', password).update(content).digest();

/** Parses a binding request; undefined for anything else, and for malformed ones. */
export function readBindingRequest(data: Buffer): BindingRequest | undefined {
  if (!isStun(data) || data.readUInt16BE(0) !== BINDING_REQUEST) return undefined;
  if (data.readUInt16BE(2) !== data.length - HEADER_BYTES) return undefined;
  let username: string | undefined;
  let use_candidate = false;
  let integrity_at = 0;
  for (let at = HEADER_BYTES; at + 4 <= data.length;) {
    const [type, length] = [data.readUInt16BE(at), data.readUInt16BE(at + 2)];
    if (at + 4 + length > data.length) return undefined;
    if (type === ATTRIBUTE.username) username = data.toString('utf8', at + 4, at + 4 + length);
    else if (type === ATTRIBUTE.use_candidate) use_candidate = true;
    else if (type === ATTRIBUTE.integrity && length === 20) {
      integrity_at = at;
      // Attributes after MESSAGE-INTEGRITY are unsigned; only FINGERPRINT may follow (RFC 8489, 14.5).
      break;
    }
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  if (username === undefined || integrity_at === 0) return undefined;
  return {
    transaction: data.subarray(8, HEADER_BYTES),
    local_ufrag: username.slice(0, username.indexOf(':')),
    use_candidate,
    isSignedWith(password) {
      const signed = Buffer.from(data.subarray(0, integrity_at));
      // The length for the HMAC includes the MESSAGE-INTEGRITY attribute.
      signed.writeUInt16BE(integrity_at + 24 - HEADER_BYTES, 2);
      return timingSafeEqual(hmac(password, signed), data.subarray(integrity_at + 4, integrity_at + 24));
    },
  };
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  const bytes = Buffer.alloc(16);
  all.forEach((word, index) => bytes.writeUInt16BE(word, index * 2));
  return bytes;
}

/** The peer's address and port, XORed so that NATs do not rewrite them (RFC 8489, 14.2). */
function writeMappedAddress(transaction: Buffer, address: string, port: number): Buffer {
  const bytes = addressBytes(address);
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(COOKIE);
  transaction.copy(mask, 4);
  const attribute = Buffer.alloc(8 + bytes.length);
  attribute.writeUInt16BE(ATTRIBUTE.xor_mapped_address, 0);
  attribute.writeUInt16BE(4 + bytes.length, 2);
  attribute[5] = bytes.length === 4 ? 1 : 2;
  attribute.writeUInt16BE(port ^ (COOKIE >>> 16), 6);
  bytes.forEach((byte, index) => (attribute[8 + index] = byte ^ (mask[index] ?? 0)));
  return attribute;
}

/** The success response to a binding request from an address, with integrity and fingerprint. */
export function writeBindingResponse(transaction: Buffer, address: string, port: number, password: string): Buffer {
  const mapped = writeMappedAddress(transaction, address, port);
  const message = Buffer.alloc(HEADER_BYTES + mapped.length + 24 + 8);
  message.writeUInt16BE(BINDING_SUCCESS, 0);
  message.writeUInt32BE(COOKIE, 4);
  transaction.copy(message, 8);
  mapped.copy(message, HEADER_BYTES);
  const integrity_at = HEADER_BYTES + mapped.length;
  message.writeUInt16BE(integrity_at + 24 - HEADER_BYTES, 2);
  message.writeUInt16BE(ATTRIBUTE.integrity, integrity_at);
  message.writeUInt16BE(20, integrity_at + 2);
  hmac(password, message.subarray(0, integrity_at)).copy(message, integrity_at + 4);
  const fingerprint_at = integrity_at + 24;
  message.writeUInt16BE(message.length - HEADER_BYTES, 2);
  message.writeUInt16BE(ATTRIBUTE.fingerprint, fingerprint_at);
  message.writeUInt16BE(4, fingerprint_at + 2);
  message.writeUInt32BE((crc32(message.subarray(0, fingerprint_at)) ^ 0x5354554e) >>> 0, fingerprint_at + 4);
  return message;
}
