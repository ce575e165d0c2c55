import type { ReportBlock, RtpOut } from './rtp-engine.ts';

/** Signed distance from `b` to `a` in 16-bit sequence numbers (RFC 3550, A.1). */
export const sequenceDistance = (a: number, b: number): number => ((a - b + 0x8000) & 0xffff) - 0x8000;

const MAX_REQUESTS = 8;
const RETRY_MS = 60;
const FIRST_WAIT_MS = 15;
const MAX_AGE_MS = 1_000;
const MAX_MISSING = 200;
/**
 * A sequence number further ahead or behind than this restarts the sequence, when the next packet follows it (RFC 3550,
 * A.1).
 */
const MAX_DROPOUT = 3_000;
const MAX_MISORDER = 500;

type Missing = { since_ms: number; asked_at_ms: number; requests: number };

/**
 * Tracks one incoming stream (one SSRC, that is, one simulcast layer): which packets are missing and when to request
 * them (RFC 4585, 6.2.1), and the statistics for receiver reports (RFC 3550, A.3 and A.8).
 */
export class Reception {
  readonly ssrc: number;
  readonly #clock_rate: number;
  readonly #missing = new Map<number, Missing>();
  #highest: number | undefined;
  /** The number after a packet far out of sequence, which would prove that the sender restarted. */
  #restart_at: number | undefined;
  #restarted = false;
  #cycles = 0;
  #first = 0;
  #received = 0;
  #expected_before = 0;
  #received_before = 0;
  #jitter = 0;
  #transit: number | undefined;
  #report_ntp_middle = 0;
  #report_at_ms = 0;

  constructor(ssrc: number, clock_rate: number) {
    this.ssrc = ssrc;
    this.#clock_rate = clock_rate;
  }

  /** Records a packet; false for duplicates and packets that are far too late. */
  add(sequence: number, timestamp: number, now_ms: number): boolean {
    if (this.#highest === undefined) {
      this.#highest = sequence;
      this.#first = sequence;
      this.#received = 1;
      return true;
    }
    const ahead = sequenceDistance(sequence, this.#highest);
    if (ahead <= 0 && this.#missing.delete(sequence)) {
      this.#received++;
      return true;
    }
    if (ahead > MAX_DROPOUT || ahead < -MAX_MISORDER) return this.#noteOutOfRange(sequence);
    this.#restart_at = undefined;
    if (ahead <= 0) return false;
    if (ahead > MAX_MISSING) this.#missing.clear();
    else {
      for (let step = 1; step < ahead; step++)
        this.#missing.set((this.#highest + step) & 0xffff, { since_ms: now_ms, asked_at_ms: 0, requests: 0 });
    }
    if (sequence < this.#highest) this.#cycles += 0x10000;
    this.#highest = sequence;
    this.#received++;
    this.#updateJitter(timestamp, now_ms);
    return true;
  }

  /**
   * One stray packet is dropped; two consecutive ones mean that the sender restarted its sequence.
   * @returns whether it did
   */
  #noteOutOfRange(sequence: number): boolean {
    if (sequence !== this.#restart_at) {
      this.#restart_at = (sequence + 1) & 0xffff;
      return false;
    }
    this.#restart_at = undefined;
    this.#missing.clear();
    this.#highest = sequence;
    this.#first = sequence;
    this.#cycles = 0;
    this.#received = 1;
    this.#expected_before = 0;
    this.#received_before = 0;
    this.#transit = undefined;
    this.#restarted = true;
    return true;
  }

  /** Whether the sequence restarted since the last call. */
  takeRestart(): boolean {
    const restarted = this.#restarted;
    this.#restarted = false;
    return restarted;
  }

  #updateJitter(timestamp: number, now_ms: number): void {
    const transit = (now_ms * this.#clock_rate) / 1000 - timestamp;
    if (this.#transit !== undefined) {
      const difference = Math.abs(transit - this.#transit);
      // A wrapped timestamp looks like a jump of 2^32 and is ignored.
      if (difference < this.#clock_rate * 10) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }

  /** The sequence numbers to request now. Forgets those that are too old or were requested too often. */
  due(now_ms: number): number[] {
    const result: number[] = [];
    for (const [sequence, entry] of this.#missing) {
      if (entry.requests >= MAX_REQUESTS || now_ms - entry.since_ms > MAX_AGE_MS) {
        this.#missing.delete(sequence);
        continue;
      }
      const waited_ms = now_ms - (entry.requests === 0 ? entry.since_ms : entry.asked_at_ms);
      // A short delay lets packets that are merely reordered arrive by themselves.
      if (waited_ms < (entry.requests === 0 ? FIRST_WAIT_MS : RETRY_MS)) continue;
      entry.requests++;
      entry.asked_at_ms = now_ms;
      result.push(sequence);
    }
    return result;
  }

  updateSenderReport(ntp: bigint, now_ms: number): void {
    this.#report_ntp_middle = Number((ntp >> 16n) & 0xffffffffn);
    this.#report_at_ms = now_ms;
  }

  /** The report block since the last call. */
  report(now_ms: number): ReportBlock {
    const extended = this.#cycles + (this.#highest ?? 0);
    const expected = extended - this.#first + 1;
    const expected_now = expected - this.#expected_before;
    const lost_now = expected_now - (this.#received - this.#received_before);
    this.#expected_before = expected;
    this.#received_before = this.#received;
    return {
      ssrc: this.ssrc,
      fraction_lost: expected_now > 0 && lost_now > 0 ? Math.min(255, Math.floor((lost_now * 256) / expected_now)) : 0,
      lost_since: Math.max(0, lost_now),
      packets_lost: Math.max(0, Math.min(0x7fffff, expected - this.#received)),
      highest_sequence: extended >>> 0,
      jitter: Math.floor(this.#jitter),
      last_sender_report: this.#report_ntp_middle,
      delay_since_last_sender_report:
        this.#report_at_ms === 0 ? 0 : Math.floor(((now_ms - this.#report_at_ms) * 65_536) / 1000),
    };
  }
}

const HISTORY = 512;
const RESEND_INTERVAL_MS = 20;

/** The last packets sent to one receiver, so that NACKs are answered from here and not by the publisher. */
export class SendHistory {
  readonly #packets: (RtpOut | undefined)[] = Array.from({ length: HISTORY });
  readonly #sent_at_ms = new Float64Array(HISTORY);

  store(packet: RtpOut, now_ms: number): void {
    const slot = packet.sequence % HISTORY;
    this.#packets[slot] = packet;
    this.#sent_at_ms[slot] = now_ms;
  }

  clear(): void {
    this.#packets.fill(undefined);
  }

  /** The packet to retransmit, or undefined when it is gone or was retransmitted within the last 20 ms. */
  take(sequence: number, now_ms: number): RtpOut | undefined {
    const slot = sequence % HISTORY;
    const packet = this.#packets[slot];
    if (packet?.sequence !== sequence || now_ms - (this.#sent_at_ms[slot] ?? 0) < RESEND_INTERVAL_MS) return undefined;
    this.#sent_at_ms[slot] = now_ms;
    return packet;
  }
}
