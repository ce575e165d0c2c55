/** One person's sound as it came, in a file that is whole after a crash but for its last second. */
import { randomInt } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { endFile, OggOpusWriter } from './ogg.ts';
import { GapFiller, OpusTimeline, Reordering, type SoundPacket } from './opus-timeline.ts';

/** Bytes that may wait for a slow disk; about half an hour of one voice. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/** Writes pages in order, each safe on the disk before the next is begun. */
class PageFile {
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waiting_bytes = 0;
  #writing: Promise<void> | undefined;
  #error: unknown;
  bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  add(page: Buffer): void {
    if (this.#error !== undefined) return;
    if (this.#waiting_bytes + page.length > MOST_WAITING_BYTES) {
      this.#error = new Error('the disk is too slow for a recording');
      return;
    }
    this.#waiting.push(page);
    this.#waiting_bytes += page.length;
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const pages = Buffer.concat(this.#waiting);
        this.#waiting = [];
        this.#waiting_bytes = 0;
        await this.#file.appendFile(pages);
        await this.#file.datasync();
        this.bytes += pages.length;
      }
    } catch (error) {
      this.#error = error;
    } finally {
      this.#writing = undefined;
    }
  }

  /** @throws what writing failed with, such as a full disk; what was written before is kept */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
    if (this.#error !== undefined) throw this.#error;
  }
}

/** The file of one track. */
export class TrackFile {
  readonly #file: PageFile;
  readonly #ogg: OggOpusWriter;
  readonly #gaps: GapFiller;
  readonly #order: Reordering;
  readonly #timeline = new OpusTimeline();
  #was_paused = false;

  /** @throws the error of the file system when the file cannot be made, or is there already */
  static async create(path: string): Promise<TrackFile> {
    return new TrackFile(await open(path, 'ax', 0o600));
  }

  private constructor(file: FileHandle) {
    this.#file = new PageFile(file);
    this.#ogg = new OggOpusWriter(randomInt(2 ** 32), (page) => this.#file.add(page));
    this.#gaps = new GapFiller((packet, samples) => this.#ogg.add(packet, samples));
    this.#order = new Reordering((packet, came_at_ms) => this.#place(packet, came_at_ms));
  }

  #place(packet: SoundPacket, came_at_ms: number): void {
    const place = this.#timeline.place(packet.timestamp, came_at_ms, this.#was_paused);
    this.#was_paused = false;
    this.#gaps.add(packet.payload, place);
  }

  add(packet: SoundPacket, now_ms: number): void {
    this.#order.push(packet, now_ms);
  }

  /** The sender muted itself: the next packet's place is told by the clock. */
  notePause(): void {
    this.#was_paused = true;
  }

  /** Call once a second or so: writes what waits, so that little is lost in a crash. */
  tick(now_ms: number): void {
    this.#order.flush(now_ms);
    this.#ogg.flush();
  }

  /** The length so far, in ms. */
  durationMs(): number {
    return Math.round(this.#gaps.writtenMs());
  }

  sizeBytes(): number {
    return this.#file.bytes;
  }

  /** Ends the file. @throws what writing failed with; what was written before is kept */
  async close(): Promise<void> {
    this.#order.flush(Infinity);
    this.#ogg.end();
    await this.#file.close();
  }
}

/** Makes a file whole whose writer was killed. @returns its length in ms and size in bytes */
export async function repairTrackFile(path: string): Promise<{ duration_ms: number; size_bytes: number }> {
  const file = await open(path, 'r+');
  try {
    const samples = await endFile(file);
    return { duration_ms: Math.round(samples / 48), size_bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}
