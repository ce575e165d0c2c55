/** Turns RTP packets as they arrive into ordered packets with a time: for audio and video alike. */
import { sequenceDistance } from '../../forwarding/nack.ts';

/** The fields of an RTP packet that a recording uses. */
export type MediaPacket = { sequence: number; timestamp: number; marker: boolean; payload: Buffer };

/** The maximum of buffered packets, and how long they wait for a missing one. */
export type JitterBounds = { packets: number; wait_ms: number };

/** For audio, which tolerates a missing packet: a fifth of a second. */
const AUDIO_JITTER: JitterBounds = { packets: 10, wait_ms: 300 };
/** How far RTP time may deviate from the local clock before the clock takes precedence. */
const DRIFT_MS = 250;
const JUMP_MS = 1_000;
/** The minimum delay within this time distinguishes an RTP clock that stood still from delayed packets. */
const WINDOW_MS = 2_000;

/** Delivers packets in sequence; waits for a missing one within bounds. */
export class JitterBuffer {
  readonly #waiting: { packet: MediaPacket; arrived_at_ms: number }[] = [];
  readonly #deliver: (packet: MediaPacket, arrived_at_ms: number) => void;
  readonly #patience: JitterBounds;
  #last: number | undefined;

  constructor(deliver: (packet: MediaPacket, arrived_at_ms: number) => void, patience: JitterBounds = AUDIO_JITTER) {
    this.#deliver = deliver;
    this.#patience = patience;
  }

  push(packet: MediaPacket, now_ms: number): void {
    if (this.#last !== undefined && sequenceDistance(packet.sequence, this.#last) <= 0) {
      // A packet so far behind belongs to a restarted stream, and is not just late.
      if (sequenceDistance(packet.sequence, this.#last) > -1_000) return;
      this.flush(Infinity);
      this.#last = undefined;
    }
    const later = this.#waiting.findIndex((entry) => sequenceDistance(packet.sequence, entry.packet.sequence) <= 0);
    if (later >= 0 && this.#waiting[later]?.packet.sequence === packet.sequence) return;
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, { packet, arrived_at_ms: now_ms });
    this.flush(now_ms);
  }

  /** Delivers the next packets, and those that have waited too long. */
  flush(now_ms: number): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const is_next = this.#last === undefined || first.packet.sequence === ((this.#last + 1) & 0xffff);
      const { packets, wait_ms } = this.#patience;
      const is_overdue = this.#waiting.length > packets || now_ms - first.arrived_at_ms > wait_ms;
      if (!is_next && !is_overdue) return;
      this.#waiting.shift();
      this.#last = first.packet.sequence;
      this.#deliver(first.packet, first.arrived_at_ms);
    }
  }
}

/**
 * Computes the position of a packet in a file, in ticks from the first packet. RTP time is used, since it is not
 * affected by loss and DTX; but a sender's RTP clock may stop while its microphone is off, or restart, and then the
 * local clock is used.
 */
export class RtpTimeline {
  readonly #ticks_per_ms: number;
  #started_at_ms: number | undefined;
  #last_timestamp = 0;
  #unwrapped = 0;
  #shift = 0;
  #usual_lag = 0;
  #window_ends_at_ms = 0;
  #window_least_lag = Infinity;

  /** @param clock_rate the RTP clock rate of the stream, in Hz */
  constructor(clock_rate: number) {
    this.#ticks_per_ms = clock_rate / 1000;
  }

  /** @param after_pause the sender was muted since its last packet, so that its RTP clock is not trusted */
  place(timestamp: number, now_ms: number, after_pause: boolean): number {
    if (this.#started_at_ms === undefined) {
      this.#started_at_ms = now_ms;
      this.#last_timestamp = timestamp;
      this.#window_ends_at_ms = now_ms + WINDOW_MS;
    }
    // The difference as a signed 32-bit number handles wrap-around.
    this.#unwrapped += (timestamp - this.#last_timestamp) | 0;
    this.#last_timestamp = timestamp;
    const by_clock = (now_ms - this.#started_at_ms) * this.#ticks_per_ms;
    const lag = by_clock - this.#unwrapped - this.#shift;
    const astray = lag - this.#usual_lag;
    if ((after_pause && Math.abs(astray) > DRIFT_MS * this.#ticks_per_ms) || astray < -JUMP_MS * this.#ticks_per_ms)
      this.#move(astray, now_ms);
    else this.#watch(lag, now_ms);
    return this.#unwrapped + this.#shift;
  }

  #move(ticks: number, now_ms: number): void {
    this.#shift += Math.round(ticks);
    this.#window_least_lag = Infinity;
    this.#window_ends_at_ms = now_ms + WINDOW_MS;
  }

  #watch(lag: number, now_ms: number): void {
    this.#usual_lag = Math.min(this.#usual_lag, lag);
    this.#window_least_lag = Math.min(this.#window_least_lag, lag);
    if (now_ms < this.#window_ends_at_ms) return;
    const behind = this.#window_least_lag - this.#usual_lag;
    this.#move(behind > DRIFT_MS * this.#ticks_per_ms ? behind : 0, now_ms);
  }

  /**
   * By how much the fastest packet was faster than the first one, in ms, 0 or negative: the first frame is large and
   * takes longer.
   */
  leadMs(): number {
    return this.#usual_lag / this.#ticks_per_ms;
  }
}
