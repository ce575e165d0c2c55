import { sequenceDistance } from './nack.ts';

/** In packets: a second of video at 8 Mbit/s, after which a missing packet is not requested any more. */
const WINDOW = 1_024;
const ALL_SENT = 0xffff_ffff;

/**
 * The sequence numbers that one outgoing stream has used. Each is used for one packet only: the nonce of AES-GCM
 * consists of SSRC, rollover counter and sequence number (RFC 7714, 8.1), and two packets with the same nonce reveal
 * the XOR of their payloads and the authentication key.
 */
export class SentWindow {
  /** One bit for each of the last numbers. Those before the first packet count as used. */
  readonly #used = new Uint32Array(WINDOW / 32).fill(ALL_SENT);
  #newest: number | undefined;

  /** The newest number; undefined before the first. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** Uses a number. @returns false when it was used before, or is too old to tell */
  take(sequence: number): boolean {
    const ahead = this.#newest === undefined ? 1 : sequenceDistance(sequence, this.#newest);
    if (ahead <= -WINDOW) return false;
    if (ahead > 0) {
      if (ahead >= WINDOW) this.#used.fill(0);
      else for (let step = 1; step < ahead; step++) this.#set(sequence - step, false);
      this.#newest = sequence;
    } else if (this.#isSet(sequence)) return false;
    this.#set(sequence, true);
    return true;
  }

  /** Whether a number was used for one of the last packets. */
  has(sequence: number): boolean {
    if (this.#newest === undefined) return false;
    const ahead = sequenceDistance(sequence, this.#newest);
    return ahead <= 0 && ahead > -WINDOW && this.#isSet(sequence);
  }

  /** Whether a number is older than the window. */
  isTooOld(sequence: number): boolean {
    return this.#newest !== undefined && sequenceDistance(sequence, this.#newest) <= -WINDOW;
  }

  /** Refuses all numbers up to the newest from now on. */
  close(): void {
    this.#used.fill(ALL_SENT);
  }

  #isSet(sequence: number): boolean {
    return ((this.#used[(sequence & (WINDOW - 1)) >> 5] as number) & (1 << (sequence & 31))) !== 0;
  }

  #set(sequence: number, used: boolean): void {
    const at = (sequence & (WINDOW - 1)) >> 5;
    const bit = 1 << (sequence & 31);
    this.#used[at] = used ? (this.#used[at] as number) | bit : (this.#used[at] as number) & ~bit;
  }
}
