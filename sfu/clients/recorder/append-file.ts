/** An append-only file that keeps everything written when the process crashes. */
import type { FileHandle } from 'node:fs/promises';

/** Bytes buffered for a slow disk: about half an hour of one voice, or 20 s of 720p video. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Appends chunks in order, each synced to disk before the next. */
export class AppendFile {
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waiting_bytes = 0;
  #writing: Promise<void> | undefined;
  #error: unknown;
  bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  add(piece: Buffer): void {
    if (this.#error !== undefined) return;
    if (this.#waiting_bytes + piece.length > MAX_WAITING_BYTES) {
      this.#error = new Error('the disk is too slow for a recording');
      return;
    }
    this.#waiting.push(piece);
    this.#waiting_bytes += piece.length;
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const pieces = Buffer.concat(this.#waiting);
        this.#waiting = [];
        this.#waiting_bytes = 0;
        await this.#file.appendFile(pieces);
        await this.#file.datasync();
        this.bytes += pieces.length;
      }
    } catch (error) {
      this.#error = error;
    } finally {
      this.#writing = undefined;
    }
  }

  /** @throws the write error, such as a full disk; what was written before is kept */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
    if (this.#error !== undefined) throw this.#error;
  }
}
