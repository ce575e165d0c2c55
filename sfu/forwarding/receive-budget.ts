/**
 * Packets that are received. The limits of each sender are not enough: two hundred senders at their limits are more than a
 * processor can decrypt, and what waits in the socket meanwhile belongs to other rooms.
 */
import { LIMITS, type RateGate } from '../limits.ts';
import { shareEvenly } from './packet-budget.ts';

/** What one sender may send at most: streams, and the RTCP and data of both connections. */
const MAX_OF_SENDER = LIMITS.rtp_packets_per_second + 2 * LIMITS.rtcp_per_second + 2 * LIMITS.dtls_records_per_second;
/** A rate is averaged over about this time, so that a key frame does not count as a flood. */
const AVERAGED_MS = 300;

/**
 * The packets that may be received from one participant: a token bucket that holds a second of the share, so that a burst
 * after a pause passes. `divideReceived` sets the share.
 */
export class SenderBudget implements RateGate {
  #per_second = MAX_OF_SENDER;
  #left = MAX_OF_SENDER;
  #filled_at_ms: number | undefined;
  #asked = 0;
  #measured_at_ms: number | undefined;
  /** How many packets a second the participant sends, whether they are accepted or not. */
  wanted_per_second = 0;

  /** Whether a packet could be accepted. Takes nothing, since the packet may turn out not to be the participant's. */
  has(now_ms: number): boolean {
    const passed_ms = now_ms - (this.#filled_at_ms ?? now_ms);
    this.#filled_at_ms = now_ms;
    this.#left = Math.min(this.#per_second, this.#left + (passed_ms / 1000) * this.#per_second);
    // Counts as wanted, or the share of a flood would grow again as soon as it is refused.
    if (this.#left < 1) this.#asked++;
    return this.#left >= 1;
  }

  take(now_ms: number): boolean {
    if (!this.has(now_ms)) return false;
    this.#left--;
    this.#asked++;
    return true;
  }

  measure(now_ms: number): void {
    const passed_ms = now_ms - (this.#measured_at_ms ?? now_ms - AVERAGED_MS);
    if (passed_ms <= 0) return;
    this.#measured_at_ms = now_ms;
    const weight = Math.min(1, passed_ms / AVERAGED_MS);
    this.wanted_per_second += ((this.#asked * 1000) / passed_ms - this.wanted_per_second) * weight;
    this.#asked = 0;
  }

  setShare(per_second: number): void {
    // A packet must fit, and the rest of a larger share must not remain.
    this.#per_second = Math.max(1, per_second);
    this.#left = Math.min(this.#left, this.#per_second);
  }
}

/**
 * Divides what a thread may receive among its rooms, and the part of each among its participants: each gets what it wants
 * up to one bound, which is as high as possible, so that a flood takes nothing from those who send less. To be called about
 * every 30 ms.
 */
export function divideReceived(rooms: SenderBudget[][], now_ms: number): void {
  const { received_packets_per_second: max, received_packets_per_second_total: total } = LIMITS;
  const wanted = rooms.map((senders) => {
    let sum = 0;
    for (const sender of senders) {
      sender.measure(now_ms);
      sum += sender.wanted_per_second;
    }
    return sum;
  });
  const of_room = shareEvenly(wanted, max, total);
  for (const [index, senders] of rooms.entries()) {
    const is_too_much = (wanted[index] as number) > of_room;
    const wants = is_too_much ? senders.map(({ wanted_per_second }) => wanted_per_second) : [];
    const of_sender = shareEvenly(wants, MAX_OF_SENDER, of_room);
    for (const sender of senders) sender.setShare(of_sender);
  }
}
