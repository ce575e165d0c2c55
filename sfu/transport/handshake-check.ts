/**
 * Verifies what a DTLS 1.2 handshake proves about the peer: that it holds the private key of its certificate, and that
 * both sides saw the same messages. A certificate travels in clear, so that its fingerprint alone proves nothing.
 */
import { constants, createHash, createHmac, timingSafeEqual, verify, X509Certificate } from 'node:crypto';

/** A whole handshake message. */
export type HandshakeMessage = {
  msg_type: number;
  message_seq: number;
  /** The length of the message, which must be that of the fragment: it is not split. */
  length: number;
  fragment: Buffer;
};

/** What the messages say, to be compared with what keys were derived from. */
export type HandshakeFacts = { certificate: Buffer; public_key: Buffer; client_random: Buffer; server_random: Buffer };

/** A handshake that does not prove who the peer is. */
export class HandshakeError extends Error {
  constructor(reason: string) {
    super(`DTLS handshake refused: ${reason}`);
  }
}

/** Handshake types (RFC 5246, 7.4, and RFC 6347, 4.3.2). */
export const HANDSHAKE = {
  client_hello: 1,
  server_hello: 2,
  hello_verify_request: 3,
  certificate: 11,
  server_key_exchange: 12,
  certificate_request: 13,
  server_hello_done: 14,
  certificate_verify: 15,
  client_key_exchange: 16,
  finished: 20,
} as const;

/**
 * The messages before the Finished of each peer (RFC 5246, 7.3). A client must prove its certificate; as a client this
 * side proves its own if it is asked to.
 */
const MESSAGES_BEFORE = {
  client: ['1 2 11 12 13 14 11 16 15'],
  server: ['1 2 11 12 14 16 20', '1 2 11 12 13 14 11 16 15 20'],
};
/** The offered signature schemes, and the type of their keys (RFC 5246, 7.4.1.4.1; RFC 8422, 5.4). */
const KEY_TYPES: Record<number, string> = { 0x0401: 'rsa', 0x0403: 'ec' };
const NAMED_CURVE = 3;
const VERIFY_DATA_BYTES = 12;

/** The bytes from an offset, with their length in front. @throws HandshakeError where the message is too short */
function readVector(body: Buffer, at: number, length_bytes: number): { value: Buffer; end: number } {
  const start = at + length_bytes;
  const end = start <= body.length ? start + body.readUIntBE(at, length_bytes) : Infinity;
  if (end > body.length) throw new HandshakeError('a message is too short');
  return { value: body.subarray(start, end), end };
}

/** The `random` of a hello, after the version (RFC 5246, 7.4.1.2). */
function readRandom({ fragment }: HandshakeMessage): Buffer {
  if (fragment.length < 34) throw new HandshakeError('a message is too short');
  return fragment.subarray(2, 34);
}

/** The peer's own certificate, the first of its list (RFC 5246, 7.4.2 and 7.4.6). */
export function readCertificate({ fragment }: HandshakeMessage): Buffer {
  const { value: list } = readVector(fragment, 0, 3);
  if (list.length === 0) throw new HandshakeError('the peer sent no certificate');
  return readVector(list, 0, 3).value;
}

/** The curve with the server's public key, and the signature over them (RFC 8422, 5.4). */
function readServerKeyExchange({ fragment }: HandshakeMessage) {
  if (fragment[0] !== NAMED_CURVE) throw new HandshakeError('the curve is not a named one');
  const { value: public_key, end } = readVector(fragment, 3, 1);
  return { public_key, params: fragment.subarray(0, end), signed: fragment.subarray(end) };
}

/** Verifies a DigitallySigned structure (RFC 5246, 4.7): scheme, length, signature. */
function requireSignature(name: string, certificate: Buffer, data: Buffer, signed: Buffer): void {
  const { value: signature, end } = readVector(signed, 2, 2);
  if (end !== signed.length) throw new HandshakeError(`${name} has a wrong length`);
  const key_type = KEY_TYPES[signed.readUInt16BE(0)];
  if (key_type === undefined) throw new HandshakeError(`${name} has an unknown signature scheme`);
  if (!isSignedBy(key_type, certificate, data, signature))
    throw new HandshakeError(`${name} is not signed by the key of the certificate`);
}

function isSignedBy(key_type: string, certificate: Buffer, data: Buffer, signature: Buffer): boolean {
  try {
    const key = new X509Certificate(certificate).publicKey;
    const options = { key, dsaEncoding: 'der' as const, padding: constants.RSA_PKCS1_PADDING };
    return key.asymmetricKeyType === key_type && verify('sha256', data, options, signature);
  } catch {
    // The certificate or its key cannot be read.
    return false;
  }
}

/** A message as it is hashed: as if it had not been fragmented (RFC 6347, 4.2.6). */
export function serialize({ msg_type, message_seq, length, fragment }: HandshakeMessage): Buffer {
  if (fragment.length !== length) throw new HandshakeError('a message is incomplete');
  const head = Buffer.alloc(12);
  head.writeUInt8(msg_type, 0);
  head.writeUIntBE(length, 1, 3);
  head.writeUInt16BE(message_seq, 4);
  head.writeUIntBE(length, 9, 3);
  return Buffer.concat([head, fragment]);
}

/**
 * Verifies that a client holds the key of its certificate, and has sent the messages before.
 * @param before all messages before CertificateVerify
 * @throws HandshakeError otherwise
 */
export function checkCertificateVerify(
  before: HandshakeMessage[],
  certificate: HandshakeMessage,
  { fragment }: HandshakeMessage,
): void {
  requireSignature('CertificateVerify', readCertificate(certificate), Buffer.concat(before.map(serialize)), fragment);
}

/** The `verify_data` of Finished (RFC 5246, 7.4.9 and 5), by the PRF with SHA-256. */
function computeVerifyData(sender: 'client' | 'server', master_secret: Buffer, transcript: Buffer): Buffer {
  const hash = createHash('sha256').update(transcript).digest();
  const seed = Buffer.concat([Buffer.from(`${sender} finished`), hash]);
  const hmac = (data: Buffer) => createHmac('sha256', master_secret).update(data).digest();
  return hmac(Buffer.concat([hmac(seed), seed])).subarray(0, VERIFY_DATA_BYTES);
}

/**
 * Verifies a peer's part of a handshake when its Finished has arrived.
 * @param peer the role of the peer
 * @param messages all before that Finished, without the first ClientHello if it was answered with a HelloVerifyRequest
 * @throws HandshakeError unless the peer holds the key of its certificate and saw the same messages
 */
export function checkHandshake(
  peer: 'client' | 'server',
  messages: HandshakeMessage[],
  finished: Buffer,
  master_secret: Buffer | undefined,
): HandshakeFacts {
  const types = messages.map(({ msg_type }) => msg_type);
  if (!MESSAGES_BEFORE[peer].includes(types.join(' '))) throw new HandshakeError('messages are missing or unexpected');
  const parts = messages.map(serialize);
  const messageOf = (type: number) => messages[types.lastIndexOf(type)] as HandshakeMessage;
  const client_random = readRandom(messageOf(HANDSHAKE.client_hello));
  const server_random = readRandom(messageOf(HANDSHAKE.server_hello));
  // The server's certificate is the first message of its type, and the client's the second.
  const certificate_at = types.indexOf(HANDSHAKE.certificate, peer === 'client' ? 3 : 0);
  const certificate = readCertificate(messages[certificate_at] as HandshakeMessage);
  let public_key: Buffer;
  if (peer === 'client') {
    const before = messages.slice(0, types.indexOf(HANDSHAKE.certificate_verify));
    const own = messages[certificate_at] as HandshakeMessage;
    checkCertificateVerify(before, own, messageOf(HANDSHAKE.certificate_verify));
    public_key = readVector(messageOf(HANDSHAKE.client_key_exchange).fragment, 0, 1).value;
  } else {
    const exchange = readServerKeyExchange(messageOf(HANDSHAKE.server_key_exchange));
    const data = Buffer.concat([client_random, server_random, exchange.params]);
    requireSignature('ServerKeyExchange', certificate, data, exchange.signed);
    ({ public_key } = exchange);
  }
  if (!master_secret) throw new HandshakeError('Finished came before the keys');
  const expected = computeVerifyData(peer, master_secret, Buffer.concat(parts));
  if (finished.length !== expected.length || !timingSafeEqual(finished, expected))
    throw new HandshakeError('Finished is wrong');
  return { certificate, public_key, client_random, server_random };
}

/** What werift derived keys from. */
type Derived = {
  remoteCertificate?: Buffer;
  remoteKeyPair: { publicKey?: Buffer };
};

/**
 * Compares what was verified with what keys were derived from.
 * @param randoms those of the client and of the server
 * @throws HandshakeError where they differ
 */
export function requireSameFacts(
  { remoteCertificate, remoteKeyPair }: Derived,
  facts: HandshakeFacts,
  [client_random, server_random]: { serialize(): Buffer }[],
): void {
  const is_same =
    remoteCertificate?.equals(facts.certificate) === true &&
    remoteKeyPair.publicKey?.equals(facts.public_key) === true &&
    client_random?.serialize().equals(facts.client_random) === true &&
    server_random?.serialize().equals(facts.server_random) === true;
  if (!is_same) throw new HandshakeError('keys were derived from other messages');
}
