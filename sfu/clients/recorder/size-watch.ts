/** Asks, while a recording runs, whether it may grow: its size is not known when it starts. */
import { statfs } from 'node:fs/promises';

/** Ten cameras at their limit write 20 MB in this time. */
const CHECK_MS = 5_000;

/** What a running recording has written, and what is left on its disk. */
export type RecordingSize = { audio_bytes: number; video_bytes: number; duration_ms: number; free_bytes: number };

/** Whether a recording of this size must end. */
export type IsFull = (size: RecordingSize) => Promise<boolean>;

/** Watches the size of one recording. */
export class SizeWatch {
  readonly #folder: string;
  readonly #isFull: IsFull;
  readonly #onError: (error: unknown) => void;
  #is_checking = false;
  #checked_at_ms = -Infinity;

  constructor(folder: string, isFull: IsFull, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#isFull = isFull;
    this.#onError = onError;
  }

  /**
   * To be called about once a second; asks at most every five. A failed check is repeated.
   * @returns whether the recording must end
   */
  async check(written: Omit<RecordingSize, 'free_bytes'>, now_ms: number): Promise<boolean> {
    if (this.#is_checking || now_ms - this.#checked_at_ms < CHECK_MS) return false;
    this.#is_checking = true;
    this.#checked_at_ms = now_ms;
    try {
      const { bavail, bsize } = await statfs(this.#folder);
      return await this.#isFull({ ...written, free_bytes: bavail * bsize });
    } catch (error) {
      this.#onError(error);
      return false;
    } finally {
      this.#is_checking = false;
    }
  }
}
