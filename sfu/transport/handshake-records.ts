/** DTLS records with handshake messages in clear (RFC 6347, 4.1 and 4.2), which anybody can send in the name of a peer. */
import { createRateGate, LIMITS } from '../limits.ts';
import { serialize, type HandshakeMessage } from './handshake-check.ts';

/** The header of a record, and that of a message in it. */
export const RECORD_HEADER_BYTES = 13;
const MESSAGE_HEADER_BYTES = 12;

/** The content types of DTLS records that are told apart (RFC 6347, 4.3.1). */
export const CONTENT = { cipher_spec: 20, handshake: 22, data: 23 };
const VERSION = [254, 253];

/** A message, or a part of one. */
export type Fragment = HandshakeMessage & { fragment_offset: number; fragment_length: number };

/** Calls back for each whole record of a datagram. */
export function forEachRecord(data: Buffer, onRecord: (type: number, epoch: number, record: Buffer) => void): void {
  for (let at = 0; at + RECORD_HEADER_BYTES <= data.length;) {
    const end = at + RECORD_HEADER_BYTES + data.readUInt16BE(at + 11);
    if (end > data.length) return;
    onRecord(data[at] as number, data.readUInt16BE(at + 3), data.subarray(at, end));
    at = end;
  }
}

/** The handshake messages of a record in clear; those before an unreadable one. */
export function readFragments(record: Buffer): Fragment[] {
  const fragments: Fragment[] = [];
  for (let at = RECORD_HEADER_BYTES; at + MESSAGE_HEADER_BYTES <= record.length;) {
    const length = record.readUIntBE(at + 1, 3);
    const fragment_offset = record.readUIntBE(at + 6, 3);
    const fragment_length = record.readUIntBE(at + 9, 3);
    const start = at + MESSAGE_HEADER_BYTES;
    const end = start + fragment_length;
    if (end > record.length || fragment_offset + fragment_length > length) break;
    // A copy, since a waiting fragment would keep the whole datagram.
    const fragment = Buffer.from(record.subarray(start, end));
    const [msg_type, message_seq] = [record[at] as number, record.readUInt16BE(at + 4)];
    fragments.push({ msg_type, message_seq, length, fragment_offset, fragment_length, fragment });
    at = end;
  }
  return fragments;
}

/** A record with one handshake message in clear. */
export function writeRecord(sequence: number, msg_type: number, message_seq: number, body: Buffer): Buffer {
  const message = serialize({ msg_type, message_seq, length: body.length, fragment: body });
  const head = Buffer.alloc(RECORD_HEADER_BYTES);
  head.set([CONTENT.handshake, ...VERSION]);
  head.writeUIntBE(sequence, 5, 6);
  head.writeUInt16BE(message.length, 11);
  return Buffer.concat([head, message]);
}

/** Puts messages together that arrive in parts, in bounded memory. */
export class Reassembly {
  #waiting: Fragment[] = [];
  readonly #gate = createRateGate(LIMITS.handshake_assemblies_per_second, LIMITS.handshake_assemblies_per_second);

  /** @returns the whole message, when a fragment completes one */
  add(part: Fragment): HandshakeMessage | undefined {
    const { msg_type, message_seq, length } = part;
    if (length > LIMITS.handshake_message_bytes) return undefined;
    if (part.fragment_length === length) return part;
    this.#waiting.push(part);
    if (this.#waiting.length > LIMITS.handshake_fragments) this.#waiting.shift();
    const parts = this.#waiting.filter(
      (other) => other.msg_type === msg_type && other.message_seq === message_seq && other.length === length,
    );
    const chosen = coverMessage(parts, length);
    if (!chosen || !this.#gate.take(performance.now())) return undefined;
    const fragment = Buffer.alloc(length);
    for (const one of chosen) one.fragment.copy(fragment, one.fragment_offset);
    return { msg_type, message_seq, length, fragment };
  }

  clear(): void {
    this.#waiting = [];
  }
}

/**
 * The newest fragments that make up a whole message; undefined without one. A peer sends its fragments one after the other,
 * so that earlier forged ones are passed over. All fragments are kept, in case one of those returned is forged.
 */
function coverMessage(parts: Fragment[], length: number): Fragment[] | undefined {
  const chosen: Fragment[] = [];
  for (let at = 0; at < length;) {
    const reached = at;
    const next = parts.findLast(
      ({ fragment_offset, fragment_length }) =>
        fragment_offset <= reached && fragment_offset + fragment_length > reached,
    );
    if (!next) return undefined;
    chosen.push(next);
    at = next.fragment_offset + next.fragment_length;
  }
  return chosen;
}
