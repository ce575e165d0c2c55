/** A limiter of two channels that looks ahead, so that nothing is louder than its ceiling and nothing clicks. */

/** How far it looks ahead: 5 ms at 48 kHz. */
const WINDOW = 240;
/** What is left of a lowered gain after each sample; after 50 ms two thirds of it are undone. */
const RELEASE = 1 - Math.exp(-1 / (0.05 * 48_000));

/** What is heard comes so many samples after it went in. */
export const limiter_delay = WINDOW - 1;

/** The least of the last `WINDOW` values. */
class SlidingMinimum {
  readonly #values = new Float64Array(WINDOW);
  readonly #times = new Float64Array(WINDOW);
  #first = 0;
  #count = 0;

  add(value: number, time: number): number {
    if (this.#count > 0 && (this.#times[this.#first] ?? 0) <= time - WINDOW) {
      this.#first = (this.#first + 1) % WINDOW;
      this.#count--;
    }
    while (this.#count > 0 && (this.#values[(this.#first + this.#count - 1) % WINDOW] ?? 0) >= value) this.#count--;
    const at = (this.#first + this.#count++) % WINDOW;
    this.#values[at] = value;
    this.#times[at] = time;
    return this.#values[this.#first] ?? value;
  }
}

/** The gain falls within the window before a peak, as the mean of what is needed in it, and rises slowly after it. */
export class Limiter {
  readonly #ceiling: number;
  readonly #needed = new SlidingMinimum();
  readonly #gains = new Float64Array(WINDOW).fill(1);
  readonly #waiting = new Float32Array(2 * WINDOW);
  #sum = WINDOW;
  #gain = 1;
  #time = 0;

  /** @param ceiling the most that comes out, of 1 */
  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** Limits samples of both channels, one of each by turns, in place. What is no number is silence. */
  process(samples: Float32Array): void {
    for (let at = 0; at < samples.length; at += 2) {
      const [left = 0, right = 0] = [samples[at], samples[at + 1]];
      const peak = Math.max(Math.abs(left), Math.abs(right));
      const is_sound = Number.isFinite(peak);
      const lowest = this.#needed.add(is_sound ? Math.min(1, this.#ceiling / peak) : 1, this.#time);
      this.#gain = Math.min(lowest, this.#gain + (1 - this.#gain) * RELEASE);
      const now = this.#time % WINDOW;
      this.#sum += this.#gain - (this.#gains[now] ?? 1);
      this.#gains[now] = this.#gain;
      this.#waiting[2 * now] = is_sound ? left : 0;
      this.#waiting[2 * now + 1] = is_sound ? right : 0;
      const then = (now + 1) % WINDOW;
      const gain = Math.min(1, this.#sum / WINDOW);
      samples[at] = (this.#waiting[2 * then] ?? 0) * gain;
      samples[at + 1] = (this.#waiting[2 * then + 1] ?? 0) * gain;
      this.#time++;
    }
  }
}
