import { createRateGate, LIMITS, type RateGate } from '../limits.ts';
import { SendHistory } from './nack.ts';
import { findPrimary } from './red.ts';
import type { Outgoing, RtpIn, RtpOut } from './rtp-engine.ts';
import type { PublishedTrack, TrackLayer } from './published-track.ts';
import { SentWindow } from './sent-window.ts';
import { createVp8Rewriter, parseVp8 } from './vp8.ts';

/** The retransmission budget per half second: a constant, and a fraction of what was sent. */
const RESEND_FLOOR_BYTES = 4_000;
const RESEND_SHARE = 0.3;

/** The budget of the key frames of a track that one receiver may cause, however often it subscribes to it. */
export const createKeyFrameBudget = (): RateGate =>
  createRateGate(LIMITS.key_frames_per_second_of_receiver, LIMITS.key_frames_burst_of_receiver);

/** Forwards one published track to one subscriber. */
export class Forwarder {
  readonly track: PublishedTrack;
  readonly out: Outgoing;
  /** The fraction of packets lost on the way to this receiver, by its last report, 0 to 1. */
  lost_share = 0;
  readonly #history = new SendHistory();
  readonly #sent = new SentWindow();
  readonly #vp8 = createVp8Rewriter();
  #layer: TrackLayer | undefined;
  #sequence_shift = 0;
  #timestamp_shift = 0;
  #last_timestamp = 0;
  #last_sent_at_ms = 0;
  /** The best layer that the subscriber requests: 0 low, 1 medium, 2 high. */
  #wanted_quality = 2;
  /** The best layer within the subscriber's bandwidth; -1: none. */
  #affordable_quality = 2;
  /** The best layer within the subscriber's bandwidth and the budget of the room; -1: none. */
  #allowed_quality = 2;
  #paused = false;
  /** Whether this subscriber gets all voices, however many there are. */
  readonly hears_all: boolean;
  bytes_out = 0;
  #resendable_bytes = RESEND_FLOOR_BYTES;
  /** The key frames of the track that this receiver may cause. */
  readonly #key_frames: RateGate;
  /** A key frame that it needs was refused by a budget. */
  #lacks_key_frame = false;

  constructor(track: PublishedTrack, out: Outgoing, hears_all: boolean, key_frames = createKeyFrameBudget()) {
    this.track = track;
    this.out = out;
    this.hears_all = hears_all;
    this.#key_frames = key_frames;
  }

  /** The layer that the subscriber requests; -1 for none. */
  requestedQuality(): number {
    return this.#paused ? -1 : this.#wanted_quality;
  }

  /** The target layer; -1 for none. */
  target(): number {
    return Math.min(this.requestedQuality(), this.#allowed_quality);
  }

  /** The layer that the subscriber would get if the room shed nothing; -1 for none. */
  wanted(): number {
    return Math.min(this.requestedQuality(), this.#affordable_quality);
  }

  /**
   * Sets the best layer within the bandwidth; that which the room may forward is the bound of it.
   * @returns whether that pauses or resumes the stream
   */
  allow(affordable_quality: number): boolean {
    const before = this.#allowed_quality;
    this.#affordable_quality = affordable_quality;
    const quality = Math.min(affordable_quality, this.track.best_quality);
    if (before === quality) return false;
    this.#allowed_quality = quality;
    if (before < 0) this.#layer = undefined;
    this.requestKeyFrameIfNeeded();
    return before < 0 !== quality < 0;
  }

  /** A layer's sequence numbers restarted: its next packet continues the outgoing sequence. */
  restart(layer: TrackLayer): void {
    if (this.#layer === layer) this.#layer = undefined;
  }

  /** Drops packets without a gap: the next one continues the outgoing sequence. */
  drop(): void {
    this.#layer = undefined;
  }

  /** Sets what the subscriber displays: nothing (`disabled`) or the layer of a quality. */
  requestQuality(disabled: boolean, quality: number): void {
    this.#wanted_quality = Math.max(0, Math.min(2, quality));
    if (this.#paused && !disabled) this.#layer = undefined;
    this.#paused = disabled;
    if (!disabled) this.requestKeyFrameIfNeeded();
  }

  /** Requests a key frame when the target layer is not the current one. */
  requestKeyFrameIfNeeded(): void {
    if (this.track.kind !== 'video' || this.target() < 0) return;
    const target = this.track.chooseLayer(this.target());
    if (target && (target !== this.#layer || this.#lacks_key_frame)) this.#requestKeyFrameOf(target);
  }

  #requestKeyFrameOf(layer: TrackLayer): void {
    const is_first = this.#sent.newest === undefined;
    this.#lacks_key_frame = !this.track.requestKeyFrame(layer, this.#key_frames, is_first);
  }

  /** The subscriber has lost a frame (PLI). */
  requestKeyFrame(): void {
    if (this.#layer) this.#requestKeyFrameOf(this.#layer);
    else this.requestKeyFrameIfNeeded();
  }

  /** Forwards a packet. @returns whether it was sent */
  forward(packet: RtpIn, layer: TrackLayer, now_ms: number): boolean {
    if (this.target() < 0 || !this.out.isAnswered()) return false;
    return this.track.kind === 'audio'
      ? this.#forwardAudio(packet, layer, now_ms)
      : this.#forwardVideo(packet, layer, now_ms);
  }

  #forwardAudio(packet: RtpIn, layer: TrackLayer, now_ms: number): boolean {
    if (layer !== this.#layer) this.#switchTo(layer, packet, now_ms, 48_000);
    // A receiver without RED support gets only the primary encoding.
    const alone = packet.codec === 'red' && !this.out.takesRed();
    const payload = alone ? findPrimary(packet.payload) : packet.payload;
    if (!payload) return false;
    const sequence = this.#place(packet);
    if (sequence === undefined) return false;
    this.#send(packet, sequence, { codec: alone ? 'opus' : packet.codec, payload }, now_ms);
    return true;
  }

  #forwardVideo(packet: RtpIn, layer: TrackLayer, now_ms: number): boolean {
    // Probing padding has no payload, and would leave a gap in the picture ids.
    const descriptor = packet.payload.length > 0 ? parseVp8(packet.payload) : undefined;
    if (layer !== this.#layer) {
      if (layer !== this.track.chooseLayer(this.target())) return false;
      if (!descriptor?.key_frame) {
        this.#requestKeyFrameOf(layer);
        return false;
      }
      this.#switchTo(layer, packet, now_ms, 90_000);
      this.#vp8.switchTo(descriptor);
      // Packets from before the key frame of another layer are obsolete.
      this.#history.clear();
    }
    const sequence = this.#place(packet);
    if (sequence === undefined) return false;
    const payload = descriptor ? this.#vp8.rewrite(packet.payload, descriptor) : packet.payload;
    this.#history.store(this.#send(packet, sequence, { codec: packet.codec, payload }, now_ms), now_ms);
    return true;
  }

  /** Switches to another source, with continuous sequence numbers and timestamps. */
  #switchTo(layer: TrackLayer, packet: RtpIn, now_ms: number, clock_rate: number): void {
    this.#layer = layer;
    const newest = this.#sent.newest;
    if (newest === undefined) return;
    // A late packet from before the switch would get a number that the former source has used.
    this.#sent.close();
    const elapsed = Math.max(1, Math.round(((now_ms - this.#last_sent_at_ms) * clock_rate) / 1000));
    this.#sequence_shift = (newest + 1 - packet.sequence) & 0xffff;
    this.#timestamp_shift = (this.#last_timestamp + elapsed - packet.timestamp) >>> 0;
  }

  /** The outgoing sequence number of a packet; undefined when it comes too late to be sent. */
  #place(packet: RtpIn): number | undefined {
    const sequence = (packet.sequence + this.#sequence_shift) & 0xffff;
    if (this.#sent.take(sequence)) return sequence;
    // After half a cycle of packets that were not sent, newer ones look older: the next one continues the sequence.
    if (this.#sent.isTooOld(sequence)) this.#layer = undefined;
    return undefined;
  }

  #send(
    packet: RtpIn,
    sequence: number,
    { codec, payload }: Pick<RtpOut, 'codec' | 'payload'>,
    now_ms: number,
  ): RtpOut {
    const timestamp = (packet.timestamp + this.#timestamp_shift) >>> 0;
    if (sequence === this.#sent.newest) {
      this.#last_timestamp = timestamp;
      this.#last_sent_at_ms = now_ms;
    }
    this.bytes_out += payload.length;
    const out: RtpOut = { codec, sequence, timestamp, marker: packet.marker, payload };
    this.out.send(out);
    return out;
  }

  /**
   * Answers a NACK, within a fraction of the stream's bitrate: more would only add to the congestion.
   * @returns the number of packets sent
   */
  resend(sequences: number[], now_ms: number): number {
    let sent = 0;
    for (const sequence of sequences) {
      // A packet of an earlier cycle would be sent with a number that is not its own.
      const is_available = this.#resendable_bytes > 0 && this.#sent.has(sequence);
      const packet = is_available ? this.#history.take(sequence, now_ms) : undefined;
      if (!packet) continue;
      this.#resendable_bytes -= packet.payload.length;
      this.bytes_out += packet.payload.length;
      this.out.resend(packet);
      sent++;
    }
    return sent;
  }

  /** To be called twice a second. @returns the bytes sent since the last call, retransmissions included */
  takeBytes(): number {
    const bytes = this.bytes_out;
    this.bytes_out = 0;
    this.#resendable_bytes = RESEND_FLOOR_BYTES + bytes * RESEND_SHARE;
    return bytes;
  }

  /** Forwards a sender report with the timestamps of the outgoing stream, so that audio and video stay in sync. */
  sendReport(layer: TrackLayer, ntp: bigint, rtp_timestamp: number): void {
    if (layer === this.#layer) this.out.sendReport(ntp, (rtp_timestamp + this.#timestamp_shift) >>> 0);
  }
}
