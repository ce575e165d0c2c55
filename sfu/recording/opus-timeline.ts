/** From RTP packets of Opus to packets in order, each at its place in time (RFC 7587, RFC 6716). */
import { sequenceDistance } from '../nack.ts';

/** What of an RTP packet matters to a recording. */
export type SoundPacket = { sequence: number; timestamp: number; payload: Buffer };

const RATE = 48_000;
const SAMPLES_PER_MS = RATE / 1000;
/** Most packets that wait for one that was overtaken, and how long they wait. */
const REORDER_PACKETS = 10;
const REORDER_MS = 300;
/** How far time by packets may stray from the clock before the clock decides. */
const DRIFT_MS = 250;
const JUMP_MS = 1_000;
/** The smallest delay within this time tells a clock that stood still from packets that were held up. */
const WINDOW_MS = 2_000;

/** The length of an Opus packet in samples at 48 kHz (RFC 6716, 3.1); 0 for one that is malformed. */
export function samplesOf(packet: Buffer): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frame_ms =
    config < 12
      ? ([10, 20, 40, 60][config & 3] ?? 0)
      : config < 16
        ? 10 << (config & 1)
        : ([2.5, 5, 10, 20][config & 3] ?? 0);
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  const samples = frame_ms * SAMPLES_PER_MS * frames;
  return samples > 120 * SAMPLES_PER_MS ? 0 : samples;
}

/** Hands packets on in the order of their sequence numbers; one that is missing is waited for within bounds. */
export class Reordering {
  readonly #waiting: { packet: SoundPacket; came_at_ms: number }[] = [];
  readonly #deliver: (packet: SoundPacket, came_at_ms: number) => void;
  #last: number | undefined;

  constructor(deliver: (packet: SoundPacket, came_at_ms: number) => void) {
    this.#deliver = deliver;
  }

  push(packet: SoundPacket, now_ms: number): void {
    if (this.#last !== undefined && sequenceDistance(packet.sequence, this.#last) <= 0) {
      // One that is behind by so much is a stream that began anew, not a packet that is late.
      if (sequenceDistance(packet.sequence, this.#last) > -1_000) return;
      this.flush(Infinity);
      this.#last = undefined;
    }
    const later = this.#waiting.findIndex((entry) => sequenceDistance(packet.sequence, entry.packet.sequence) <= 0);
    if (later >= 0 && this.#waiting[later]?.packet.sequence === packet.sequence) return;
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, { packet, came_at_ms: now_ms });
    this.flush(now_ms);
  }

  /** Delivers what is next, and what has waited too long. */
  flush(now_ms: number): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const is_next = this.#last === undefined || first.packet.sequence === ((this.#last + 1) & 0xffff);
      const is_overdue = this.#waiting.length > REORDER_PACKETS || now_ms - first.came_at_ms > REORDER_MS;
      if (!is_next && !is_overdue) return;
      this.#waiting.shift();
      this.#last = first.packet.sequence;
      this.#deliver(first.packet, first.came_at_ms);
    }
  }
}

/**
 * Says where in a file a packet belongs, in samples from its first packet. RTP time counts, which loss and DTX leave
 * whole; but a sender's RTP clock may stand still while its microphone is off, or begin anew, and then the clock here
 * decides.
 */
export class OpusTimeline {
  #started_at_ms: number | undefined;
  #last_timestamp = 0;
  #unwrapped = 0;
  #shift = 0;
  #usual_lag = 0;
  #window_ends_at_ms = 0;
  #window_least_lag = Infinity;

  /** @param after_pause the sender was muted since its last packet, so that its clock is not to be trusted */
  place(timestamp: number, now_ms: number, after_pause: boolean): number {
    if (this.#started_at_ms === undefined) {
      this.#started_at_ms = now_ms;
      this.#last_timestamp = timestamp;
      this.#window_ends_at_ms = now_ms + WINDOW_MS;
    }
    // The difference as a signed number of 32 bits carries over the wrap of RTP's clock.
    this.#unwrapped += (timestamp - this.#last_timestamp) | 0;
    this.#last_timestamp = timestamp;
    const by_clock = (now_ms - this.#started_at_ms) * SAMPLES_PER_MS;
    const lag = by_clock - this.#unwrapped - this.#shift;
    const astray = lag - this.#usual_lag;
    if ((after_pause && Math.abs(astray) > DRIFT_MS * SAMPLES_PER_MS) || astray < -JUMP_MS * SAMPLES_PER_MS)
      this.#move(astray, now_ms);
    else this.#watch(lag, now_ms);
    return this.#unwrapped + this.#shift;
  }

  #move(samples: number, now_ms: number): void {
    this.#shift += Math.round(samples);
    this.#window_least_lag = Infinity;
    this.#window_ends_at_ms = now_ms + WINDOW_MS;
  }

  #watch(lag: number, now_ms: number): void {
    this.#usual_lag = Math.min(this.#usual_lag, lag);
    this.#window_least_lag = Math.min(this.#window_least_lag, lag);
    if (now_ms < this.#window_ends_at_ms) return;
    const behind = this.#window_least_lag - this.#usual_lag;
    this.#move(behind > DRIFT_MS * SAMPLES_PER_MS ? behind : 0, now_ms);
  }
}

/** A frame of silence: CELT, full band, 20 ms. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const SILENCE_SAMPLES = 20 * SAMPLES_PER_MS;
/** Gaps up to this are left to the decoder, which conceals loss and makes comfort noise between DTX packets. */
const CONCEALED_MS = 500;
/** A gap longer than this is no gap of one stream; the rest of it is left out. */
const MOST_GAP_MS = 12 * 3600 * 1000;

/**
 * Writes packets one behind the other and fills gaps, since granule positions may grow by nothing else than what
 * packets hold (RFC 7845, 4.1): with packets of no content, which ask the decoder to conceal, and after half a second
 * with silence.
 */
export class GapFiller {
  readonly #write: (packet: Buffer, samples: number) => void;
  #written = 0;
  #toc = 0xfc;

  constructor(write: (packet: Buffer, samples: number) => void) {
    this.#write = write;
  }

  /** Adds a packet at its place; one that is malformed, or whose time is past, is left out. */
  add(packet: Buffer, place: number): void {
    const samples = samplesOf(packet);
    if (samples === 0 || place + samples / 2 < this.#written) return;
    this.fillTo(place);
    this.#toc = packet[0] ?? this.#toc;
    this.#put(packet, samples);
  }

  /** Fills up to a place, as far as whole frames go. */
  fillTo(place: number): void {
    const gap = Math.min(place - this.#written, MOST_GAP_MS * SAMPLES_PER_MS);
    const concealed_to = this.#written + Math.min(gap, CONCEALED_MS * SAMPLES_PER_MS);
    const silent_to = this.#written + gap;
    const concealing = Buffer.from([this.#toc & 0xfc]);
    const frame = samplesOf(concealing);
    while (this.#written + frame <= concealed_to) this.#put(concealing, frame);
    while (this.#written + SILENCE_SAMPLES <= silent_to) this.#put(SILENCE, SILENCE_SAMPLES);
  }

  #put(packet: Buffer, samples: number): void {
    this.#write(packet, samples);
    this.#written += samples;
  }

  /** How much was written, in ms. */
  writtenMs(): number {
    return this.#written / SAMPLES_PER_MS;
  }
}
