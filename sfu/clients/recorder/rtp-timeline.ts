/** From RTP packets as they come to packets in order, each at its place in time: of sound and of pictures alike. */
import { sequenceDistance } from '../../forwarding/nack.ts';

/** What of an RTP packet matters to a recording. */
export type MediaPacket = { sequence: number; timestamp: number; marker: boolean; payload: Buffer };

/** Most packets that wait for one that was overtaken, and how long they wait. */
export type JitterBounds = { packets: number; wait_ms: number };

/** For sound, which is whole enough without a packet: a fifth of a second. */
const SOUND_PATIENCE: JitterBounds = { packets: 10, wait_ms: 300 };
/** How far time by packets may stray from the clock before the clock decides. */
const DRIFT_MS = 250;
const JUMP_MS = 1_000;
/** The smallest delay within this time tells a clock that stood still from packets that were held up. */
const WINDOW_MS = 2_000;

/** Hands packets on in the order of their sequence numbers; one that is missing is waited for within bounds. */
export class JitterBuffer {
  readonly #waiting: { packet: MediaPacket; came_at_ms: number }[] = [];
  readonly #deliver: (packet: MediaPacket, came_at_ms: number) => void;
  readonly #patience: JitterBounds;
  #last: number | undefined;

  constructor(deliver: (packet: MediaPacket, came_at_ms: number) => void, patience: JitterBounds = SOUND_PATIENCE) {
    this.#deliver = deliver;
    this.#patience = patience;
  }

  push(packet: MediaPacket, now_ms: number): void {
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
      const { packets, wait_ms } = this.#patience;
      const is_overdue = this.#waiting.length > packets || now_ms - first.came_at_ms > wait_ms;
      if (!is_next && !is_overdue) return;
      this.#waiting.shift();
      this.#last = first.packet.sequence;
      this.#deliver(first.packet, first.came_at_ms);
    }
  }
}

/**
 * Says where in a file a packet belongs, in ticks of the stream's clock from its first packet. RTP time counts, which loss and DTX leave
 * whole; but a sender's RTP clock may stand still while its microphone is off, or begin anew, and then the clock here
 * decides.
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

  /** @param clock_rate of the stream's RTP time, in Hz */
  constructor(clock_rate: number) {
    this.#ticks_per_ms = clock_rate / 1000;
  }

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
   * How much sooner the quickest packet came than the first one would have it, in ms, 0 or less: a first frame is large
   * and takes its time.
   */
  leadMs(): number {
    return this.#usual_lag / this.#ticks_per_ms;
  }
}
