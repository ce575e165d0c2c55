/** The hot path of the server: one packet, encrypted and sent, without anything to wait for. */
import type { Socket } from 'node:dgram';
import type { RTCDtlsTransport, RtpHeader } from 'werift';
import { sequenceDistance } from './nack.ts';
import type { RtpOut } from './rtp-engine.ts';

/**
 * Counts how often a stream's 16-bit sequence numbers have begun anew (ROC, RFC 3711, 3.3.1). werift's own loses count
 * when a packet from before the beginning is sent again after it, and the receiver can then decrypt nothing more.
 */
export class RolloverCounter {
  #highest: number | undefined;
  #rollovers = 0;

  /** The count that belongs to a packet: a new one, or one that is sent again. */
  at(sequence: number): number {
    this.#highest ??= sequence;
    if (sequenceDistance(sequence, this.#highest) <= 0)
      return sequence > this.#highest ? Math.max(0, this.#rollovers - 1) : this.#rollovers;
    if (sequence < this.#highest) this.#rollovers++;
    this.#highest = sequence;
    return this.#rollovers;
  }
}

/**
 * An RTP header without extensions (RFC 3550, 5.1), with the part of werift's header class that its cipher uses. It is
 * written at once; werift's own collects the first octets bit by bit, which shows in the cost of each packet.
 */
class PlainHeader {
  readonly serializeSize = 12;
  readonly sequenceNumber: number;
  readonly ssrc: number;
  readonly #bytes = Buffer.allocUnsafe(12);

  constructor(payload_type: number, packet: RtpOut, ssrc: number) {
    this.sequenceNumber = packet.sequence;
    this.ssrc = ssrc;
    this.#bytes[0] = 0x80;
    this.#bytes[1] = (packet.marker ? 0x80 : 0) | payload_type;
    this.#bytes.writeUInt16BE(packet.sequence, 2);
    this.#bytes.writeUInt32BE(packet.timestamp, 4);
    this.#bytes.writeUInt32BE(ssrc, 8);
  }

  serialize(): Buffer {
    return this.#bytes;
  }
}

/**
 * Encrypts a packet and sends it to where the peer was nominated; before that, and after the end, it is dropped.
 * werift's own way from here to the socket is four promises long, which costs as much as the encryption.
 * @param rollovers how often the stream's sequence numbers have begun anew
 */
export function sendRtp(
  transport: RTCDtlsTransport,
  payload_type: number,
  ssrc: number,
  packet: RtpOut,
  rollovers: number,
): void {
  const { nominated, state } = transport.iceTransport.connection;
  if (!nominated || state === 'closed' || state === 'failed') return;
  const header = new PlainHeader(payload_type, packet, ssrc) as unknown as RtpHeader;
  const encrypted = transport.srtp.localContext.cipher.encryptRtp(header, packet.payload, rollovers);
  const [host, port] = nominated.remoteAddr;
  // Every connection is UDP here, where a datagram that does not fit into the line is lost like one on the way.
  const { socket } = (nominated.protocol as unknown as { transport: { socket: Socket } }).transport;
  socket.send(encrypted, port, host);
}
