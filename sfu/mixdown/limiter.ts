/** A stereo look-ahead limiter: nothing exceeds the ceiling, and gain changes do not click. */

/** The look-ahead: 5 ms at 48 kHz. */
const WINDOW = 240;
/** The release per sample: two thirds of a reduction are undone after 50 ms. */
const RELEASE = 1 - Math.exp(-1 / (0.05 * 48_000));

/** The delay of the output, in samples. */
export const LIMITER_DELAY = WINDOW - 1;

/** The minimum of the last `WINDOW` values. */
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

/** The gain falls within the window before a peak, as the mean of the required gains, and recovers slowly after it. */
export class Limiter {
  readonly #ceiling: number;
  readonly #needed = new SlidingMinimum();
  readonly #gains = new Float64Array(WINDOW).fill(1);
  readonly #waiting = new Float32Array(2 * WINDOW);
  #sum = WINDOW;
  #gain = 1;
  #time = 0;

  /** @param ceiling the maximum output level, of 1 */
  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** Limits interleaved stereo samples in place. NaN becomes silence. */
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
