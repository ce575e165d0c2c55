/** Encrypts and decrypts RTP packets (SRTP, RFC 3711, with AES-GCM, RFC 7714). */
import type { RtpHeader, SrtpSession } from 'werift';
import { LIMITS } from '../limits.ts';
import { sequenceDistance } from '../forwarding/nack.ts';
import type { RtpOut } from '../forwarding/rtp-engine.ts';
import { AesGcm, TAG_BYTES } from './aes-gcm.ts';

const HEADER_BYTES = 12;
/** A one-byte header extension: the send time in 24 bits (abs-send-time). */
const SEND_TIME_BYTES = 8;

/**
 * Counts how often a stream's 16-bit sequence numbers have wrapped (ROC, RFC 3711, 3.3.1), also when a packet from
 * before the wrap is sent again after it.
 */
export class RolloverCounter {
  #highest: number | undefined;
  #rollovers = 0;

  /** The counter of a packet, new or retransmitted. Changes nothing. */
  guess(sequence: number): number {
    if (this.#highest === undefined) return this.#rollovers;
    if (sequenceDistance(sequence, this.#highest) <= 0)
      return sequence > this.#highest ? Math.max(0, this.#rollovers - 1) : this.#rollovers;
    return sequence < this.#highest ? this.#rollovers + 1 : this.#rollovers;
  }

  /** The counter of a packet, which is recorded as received. */
  at(sequence: number): number {
    const rollovers = this.guess(sequence);
    if (this.#highest === undefined || sequenceDistance(sequence, this.#highest) > 0) {
      this.#highest = sequence;
      this.#rollovers = rollovers;
    }
    return rollovers;
  }
}

/** A received packet with its parsed header. */
export type ReadPacket = {
  payload_type: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payload: Buffer;
  /** The header extension elements (RFC 8285). */
  extensions: { id: number; value: Buffer }[];
};

type Header = { payload_at: number; extensions_at: number; extensions_end: number; profile: number };

/** The offsets within a packet; undefined when it is too short. */
function readHeader(data: Buffer): Header | undefined {
  if (data.length < HEADER_BYTES || (data[0] as number) >> 6 !== 2) return undefined;
  const fixed_end = HEADER_BYTES + ((data[0] as number) & 0x0f) * 4;
  if (((data[0] as number) & 0x10) === 0)
    return data.length < fixed_end
      ? undefined
      : { payload_at: fixed_end, extensions_at: fixed_end, extensions_end: fixed_end, profile: 0 };
  if (data.length < fixed_end + 4) return undefined;
  const end = fixed_end + 4 + data.readUInt16BE(fixed_end + 2) * 4;
  if (data.length < end) return undefined;
  return { payload_at: end, extensions_at: fixed_end + 4, extensions_end: end, profile: data.readUInt16BE(fixed_end) };
}

/** Parses one-byte and two-byte header extensions. */
function readExtensions(data: Buffer, { extensions_at, extensions_end, profile }: Header): ReadPacket['extensions'] {
  const found: ReadPacket['extensions'] = [];
  const is_short = profile === 0xbede;
  if (!is_short && profile >> 4 !== 0x100) return found;
  for (let at = extensions_at; at < extensions_end;) {
    const first = data[at] as number;
    if (first === 0) {
      at++;
      continue;
    }
    const id = is_short ? first >> 4 : first;
    const length = is_short ? (first & 0x0f) + 1 : (data[at + 1] ?? 0);
    at += is_short ? 1 : 2;
    if ((is_short && id === 15) || at + length > extensions_end) break;
    found.push({ id, value: data.subarray(at, at + length) });
    at += length;
  }
  return found;
}

function present(data: Buffer, header: Header, text: Buffer): ReadPacket | undefined {
  // The last byte of padding is its length (RFC 3550, 5.1).
  const padding = (data[0] as number) & 0x20 ? (text.at(-1) ?? 0) : 0;
  if (padding > text.length) return undefined;
  return {
    payload_type: (data[1] as number) & 0x7f,
    marker: ((data[1] as number) & 0x80) !== 0,
    sequence: data.readUInt16BE(2),
    timestamp: data.readUInt32BE(4),
    ssrc: data.readUInt32BE(8),
    payload: padding > 0 ? text.subarray(0, text.length - padding) : text,
    extensions: readExtensions(data, header),
  };
}

/** Encrypts and decrypts the RTP packets of one connection. */
export type SrtpTransform = {
  /** @param send_time the 24 bits of abs-send-time and the id of the extension; undefined omits it */
  seal(payload_type: number, ssrc: number, packet: RtpOut, rollovers: number, send_time?: SendTime): Buffer;
  /** Undefined for a packet that is malformed or not authentic. */
  open(data: Buffer): ReadPacket | undefined;
  /** Whether a packet of a stream has been authentic before. */
  knows(ssrc: number): boolean;
};

/** The abs-send-time extension of a packet: its id in the offer, and 24 bits of seconds in 6.18 fixed point. */
export type SendTime = { id: number; value: number };

function writePacket(
  payload_type: number,
  ssrc: number,
  packet: RtpOut,
  send_time: SendTime | undefined,
  tail_bytes: number,
): { message: Buffer; text_at: number } {
  const text_at = HEADER_BYTES + (send_time ? SEND_TIME_BYTES : 0);
  const message = Buffer.allocUnsafe(text_at + packet.payload.length + tail_bytes);
  const { sequence, timestamp } = packet;
  message[0] = send_time ? 0x90 : 0x80;
  message[1] = (packet.marker ? 0x80 : 0) | payload_type;
  message[2] = sequence >>> 8;
  message[3] = sequence;
  for (let byte = 0; byte < 4; byte++) {
    message[4 + byte] = timestamp >>> (24 - byte * 8);
    message[8 + byte] = ssrc >>> (24 - byte * 8);
  }
  if (send_time) {
    message.writeUInt32BE(0xbede0001, 12);
    message.writeUInt32BE(((send_time.id << 28) | (2 << 24) | send_time.value) >>> 0, 16);
  }
  message.set(packet.payload, text_at);
  return { message, text_at };
}

/** A packet this far behind the newest one still belongs to the time before a wrap. */
const REORDER_PACKETS = 1_024;

/** The packet index of one incoming stream (RFC 3711, 3.3.1), and the received packets (3.3.2), against replay. */
class IncomingStream {
  rollovers: number;
  #highest: number;
  /** One bit for each sequence number of the current counter. */
  readonly #seen = new Uint8Array(65_536 / 8);

  constructor(sequence: number, rollovers: number) {
    this.#highest = sequence;
    this.rollovers = rollovers;
  }

  guess(sequence: number): number {
    if (sequenceDistance(sequence, this.#highest) > 0)
      return sequence < this.#highest ? this.rollovers + 1 : this.rollovers;
    return sequence > this.#highest ? Math.max(0, this.rollovers - 1) : this.rollovers;
  }

  /** Whether a packet is so far from the others that the sender may have restarted its sequence. */
  isFar(sequence: number): boolean {
    return Math.abs(sequenceDistance(sequence, this.#highest)) > REORDER_PACKETS;
  }

  isReplay(sequence: number, rollovers: number): boolean {
    if (rollovers > this.rollovers) return false;
    if (rollovers === this.rollovers) return ((this.#seen[sequence >> 3] as number) & (1 << (sequence & 7))) !== 0;
    return sequenceDistance(sequence, this.#highest) < -REORDER_PACKETS;
  }

  update(sequence: number, rollovers: number): void {
    if (rollovers < this.rollovers) return;
    if (rollovers > this.rollovers) {
      this.#seen.fill(0);
      this.rollovers = rollovers;
      this.#highest = sequence;
    } else if (sequenceDistance(sequence, this.#highest) > 0) this.#highest = sequence;
    this.#seen[sequence >> 3] = (this.#seen[sequence >> 3] as number) | (1 << (sequence & 7));
  }
}

/** The incoming streams of one connection. */
class IncomingStreams {
  readonly #streams = new Map<number, IncomingStream>();

  /**
   * Decrypts a packet with its most likely rollover counter; for one far from the others also with those of a restarted
   * sender.
   * @param open returns undefined when the counter does not fit
   * @returns undefined for a packet that is not authentic, or a replay
   */
  open<Text>(ssrc: number, sequence: number, open: (rollovers: number) => Text | undefined): Text | undefined {
    const stream = this.#streams.get(ssrc);
    const guess = stream?.guess(sequence) ?? 0;
    const tries = stream?.isFar(sequence) ? new Set([guess, stream.rollovers, stream.rollovers + 1]) : [guess];
    for (const rollovers of tries) {
      if (stream?.isReplay(sequence, rollovers)) continue;
      const text = open(rollovers);
      if (text === undefined) continue;
      (stream ?? this.#add(ssrc, sequence, rollovers)).update(sequence, rollovers);
      return text;
    }
    return undefined;
  }

  has(ssrc: number): boolean {
    return this.#streams.has(ssrc);
  }

  #add(ssrc: number, sequence: number, rollovers: number): IncomingStream {
    // A peer with ever new streams evicts only its own.
    if (this.#streams.size >= LIMITS.streams_per_participant * 2) this.#streams.clear();
    const stream = new IncomingStream(sequence, rollovers);
    this.#streams.set(ssrc, stream);
    return stream;
  }
}

/** The session key and salt of one direction (RFC 3711, 4.3): 16 and 12 bytes for AEAD_AES_128_GCM. */
export type SrtpKeys = { key: Buffer; salt: Buffer };

/** SRTP with AEAD_AES_128_GCM. @param local, remote session keys and salts of both directions */
export function createGcmTransform(local: SrtpKeys, remote: SrtpKeys): SrtpTransform {
  const [sealer, opener] = [new AesGcm(local.key), new AesGcm(remote.key)];
  const streams = new IncomingStreams();
  const nonce = Buffer.alloc(12);
  /** The nonce: two zero bytes, SSRC, rollover counter and sequence number, XORed with the salt (RFC 7714, 8.1). */
  const setNonce = (salt: Buffer, ssrc: number, rollovers: number, sequence: number) => {
    for (let byte = 0; byte < 4; byte++) {
      nonce[2 + byte] = (ssrc >>> (24 - byte * 8)) ^ (salt[2 + byte] as number);
      nonce[6 + byte] = (rollovers >>> (24 - byte * 8)) ^ (salt[6 + byte] as number);
    }
    nonce[0] = salt[0] as number;
    nonce[1] = salt[1] as number;
    nonce[10] = (sequence >>> 8) ^ (salt[10] as number);
    nonce[11] = sequence ^ (salt[11] as number);
  };
  return {
    seal(payload_type, ssrc, packet, rollovers, send_time) {
      const { message, text_at } = writePacket(payload_type, ssrc, packet, send_time, TAG_BYTES);
      setNonce(local.salt, ssrc, rollovers, packet.sequence);
      sealer.seal(message, text_at, nonce);
      return message;
    },
    open(data) {
      const header = readHeader(data);
      if (!header) return undefined;
      const [sequence, ssrc] = [data.readUInt16BE(2), data.readUInt32BE(8)];
      const text = streams.open(ssrc, sequence, (rollovers) => {
        setNonce(remote.salt, ssrc, rollovers, sequence);
        return opener.open(data, header.payload_at, nonce);
      });
      return text && present(data, header, text);
    },
    knows: (ssrc) => streams.has(ssrc),
  };
}

/** SRTP with any other profile, by werift. */
export function createWeriftTransform({ localContext, remoteContext }: SrtpSession): SrtpTransform {
  const streams = new IncomingStreams();
  const decrypt = (data: Buffer): Buffer | undefined => {
    try {
      return remoteContext.decryptRtp(data)[0];
    } catch {
      return undefined;
    }
  };
  return {
    seal(payload_type, ssrc, packet, rollovers, send_time) {
      const { message, text_at } = writePacket(payload_type, ssrc, packet, send_time, 0);
      const head = message.subarray(0, text_at);
      // The header fields that werift's ciphers use.
      const header = { ssrc, sequenceNumber: packet.sequence, serializeSize: text_at, serialize: () => head };
      return localContext.cipher.encryptRtp(header as unknown as RtpHeader, packet.payload, rollovers);
    },
    open(data) {
      if (!readHeader(data)) return undefined;
      const plain = streams.open(data.readUInt32BE(8), data.readUInt16BE(2), () => decrypt(data));
      const header = plain && readHeader(plain);
      return header && present(plain, header, plain.subarray(header.payload_at));
    },
    knows: (ssrc) => streams.has(ssrc),
  };
}
