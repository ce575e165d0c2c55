const WINDOW_PACKETS = 1_024;

/**
 * Numbers of packets that have been authentic before (RFC 3711, 3.3.2; RFC 6347, 4.1.2.6). Anybody who has seen a packet can
 * send it again, and the second one would be as authentic as the first.
 */
export class ReplayWindow {
  readonly #seen = new Float64Array(WINDOW_PACKETS).fill(-1);
  #newest = -1;

  /** Whether a packet of a number could be new; of those older than the window none is. */
  mayBeNew(number: number): boolean {
    return number > this.#newest - WINDOW_PACKETS && this.#seen[number % WINDOW_PACKETS] !== number;
  }

  /** To be called for authentic packets only. */
  update(number: number): void {
    this.#seen[number % WINDOW_PACKETS] = number;
    this.#newest = Math.max(this.#newest, number);
  }
}
