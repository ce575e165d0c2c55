/** One outgoing stream to a client, in one media section of the offers. */
import { randomInt } from 'node:crypto';
import type { Codec, MediaKind, Outgoing, OutgoingOptions, RtpOut } from '../forwarding/rtp-engine.ts';
import { OPUS, RED, RTX, SEND_TIME_ID, VP8 } from '../sdp/sdp-writer.ts';
import { RolloverCounter, type SrtpTransform } from './srtp.ts';

const PAYLOAD_TYPES: Record<Codec, number> = { opus: OPUS, red: RED, vp8: VP8 };

/** A section: the stream assigned to it, and the one that the client has accepted. */
export type Section = {
  mid: string;
  kind: MediaKind;
  stream: (OutgoingOptions & { ssrc: number; rtx_ssrc: number }) | undefined;
  offered_ssrc: number | undefined;
  answered_ssrc: number | undefined;
  takes_red: boolean;
  takes_rtx: boolean;
};

/** The part of a connection that a stream uses. */
export type StreamOutput = {
  transform(): SrtpTransform | undefined;
  send(data: Buffer): void;
  report(report: { ssrc: number; ntp: bigint; rtp_timestamp: number; packets: number; octets: number }): void;
};

/** The abs-send-time: seconds modulo 64 in 24 bits, 18 of them fractional. */
const readSendTime = (): number => Math.floor(((performance.now() % 64_000) / 1000) * 2 ** 18) & 0xffffff;

/** Takes a section, and releases it when it ends. */
export class Stream implements Outgoing {
  readonly ssrc = randomInt(2, 2 ** 32);
  readonly mid: string;
  readonly #rtx_ssrc = randomInt(2, 2 ** 32);
  readonly #section: Section;
  readonly #output: StreamOutput;
  readonly #rollovers = new RolloverCounter();
  readonly #rtx_rollovers = new RolloverCounter();
  #rtx_sequence = randomInt(2 ** 15);
  #packets = 0;
  #octets = 0;

  constructor(section: Section, options: OutgoingOptions, output: StreamOutput) {
    this.#section = section;
    this.#output = output;
    this.mid = section.mid;
    section.stream = { ...options, ssrc: this.ssrc, rtx_ssrc: this.#rtx_ssrc };
  }

  isAnswered(): boolean {
    return this.#section.answered_ssrc === this.ssrc;
  }

  takesRed(): boolean {
    return this.#section.takes_red;
  }

  send(packet: RtpOut): void {
    this.#packets++;
    this.#octets += packet.payload.length;
    // The nonce is derived from SSRC and sequence number, so that a retransmitted packet must be identical.
    if (this.#section.kind === 'video') packet.send_time ??= readSendTime();
    this.#seal(PAYLOAD_TYPES[packet.codec], this.ssrc, packet, this.#rollovers.at(packet.sequence), packet.send_time);
  }

  /** In an RTX stream (RFC 4588), whose packets have their own send time, where the client supports it. */
  resend(packet: RtpOut): void {
    if (!this.#section.takes_rtx) return this.send(packet);
    const original = Buffer.allocUnsafe(2);
    original.writeUInt16BE(packet.sequence);
    const sequence = (this.#rtx_sequence = (this.#rtx_sequence + 1) & 0xffff);
    const payload = Buffer.concat([original, packet.payload]);
    const again = { ...packet, sequence, payload };
    this.#seal(RTX, this.#rtx_ssrc, again, this.#rtx_rollovers.at(sequence), readSendTime());
  }

  #seal(payload_type: number, ssrc: number, packet: RtpOut, rollovers: number, send_time: number | undefined): void {
    const transform = this.#output.transform();
    if (!transform || !this.isAnswered()) return;
    const extension = send_time === undefined ? undefined : { id: SEND_TIME_ID, value: send_time };
    this.#output.send(transform.seal(payload_type, ssrc, packet, rollovers, extension));
  }

  sendReport(ntp: bigint, rtp_timestamp: number): void {
    if (!this.isAnswered()) return;
    this.#output.report({ ssrc: this.ssrc, ntp, rtp_timestamp, packets: this.#packets, octets: this.#octets });
  }

  stop(): void {
    if (this.#section.stream?.ssrc === this.ssrc) this.#section.stream = undefined;
    if (this.isAnswered()) this.#section.answered_ssrc = undefined;
  }
}
