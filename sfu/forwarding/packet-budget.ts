/**
 * Packets that a room may forward. A budget of what each sender may send is not enough: a packet costs as much as it has
 * receivers, and every one of them costs the processor about the same, whatever its content.
 */
import { LIMITS } from '../limits.ts';

/** What is shed first when a room has more packets than it may forward: the lowest. */
export const RANKS = {
  /** The camera of somebody who does not speak. */
  camera: 0,
  /** A screen, and the camera of somebody who speaks. */
  shown: 1,
  voice: 2,
} as const;

/** A value of `RANKS`; higher ones are shed later. */
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/** The part of the budget that each rank leaves to those above it. */
const RESERVED = [1 / 2, 1 / 4, 0] as const;

/**
 * The packets that one room may forward: a token bucket of a second, filled by the timer of the room, so that a packet
 * costs one comparison and one subtraction. What is wanted for longer than that is shed by `shed-packets.ts`; until then
 * packets are dropped here, those of the lowest rank first.
 */
export class PacketBudget {
  #capacity: number = LIMITS.forwarded_packets_per_second;
  #left = this.#capacity;
  #floors = RESERVED.map((share) => share * this.#capacity);
  #filled_at_ms: number | undefined;
  /** How many packets a second the room would forward if nothing were shed. */
  wanted_per_second = 0;

  /** Whether a packet of a rank may be forwarded now, to all its receivers. */
  admits(rank: Rank): boolean {
    return this.#left > (this.#floors[rank] as number);
  }

  /** Counts forwarded packets, one for each receiver. */
  take(packets: number): void {
    this.#left -= packets;
  }

  /** To be called about every 30 ms. @param per_second the share of the room now */
  refill(per_second: number, now_ms: number): void {
    if (per_second !== this.#capacity) {
      this.#capacity = per_second;
      this.#floors = RESERVED.map((share) => share * per_second);
    }
    const passed_ms = now_ms - (this.#filled_at_ms ?? now_ms);
    this.#filled_at_ms = now_ms;
    this.#left = Math.min(this.#capacity, this.#left + (passed_ms / 1000) * per_second);
  }
}

/**
 * The bound up to which everybody gets what they want of something limited, as high as possible (max-min fairness).
 * @param max the highest bound
 */
export function shareEvenly(wanted: number[], max: number, total: number): number {
  if (wanted.reduce((sum, one) => sum + one, 0) <= total) return max;
  let left = total;
  const sorted = wanted.toSorted((a, b) => a - b);
  for (const [index, one] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (one > share) return Math.min(max, share);
    left -= one;
  }
  return max;
}

/**
 * Divides the packets of a thread among its rooms, so that a large room leaves small ones their packets.
 * @param wanted the packets a second that each room would forward
 * @returns the packets a second that each room may forward
 */
export const sharePackets = (wanted: number[]): number =>
  shareEvenly(wanted, LIMITS.forwarded_packets_per_second, LIMITS.forwarded_packets_per_second_total);
