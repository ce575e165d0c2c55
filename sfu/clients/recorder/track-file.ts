/** One person's audio as received, in a file that survives a crash except for its last second. */
import { randomInt } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { endFile, OggOpusWriter } from '../../opus/ogg.ts';
import { AppendFile } from './append-file.ts';
import { GapFiller } from './opus-timeline.ts';
import { JitterBuffer, RtpTimeline, type MediaPacket } from './rtp-timeline.ts';

/** The file of one track. */
export class TrackFile {
  readonly #file: AppendFile;
  readonly #ogg: OggOpusWriter;
  readonly #gaps: GapFiller;
  readonly #order: JitterBuffer;
  readonly #timeline = new RtpTimeline(48_000);
  #was_paused = false;

  /** @throws the error of the file system when the file cannot be created, or exists already */
  static async create(path: string): Promise<TrackFile> {
    return new TrackFile(await open(path, 'ax', 0o600));
  }

  private constructor(file: FileHandle) {
    this.#file = new AppendFile(file);
    this.#ogg = new OggOpusWriter(randomInt(2 ** 32), (page) => this.#file.add(page));
    this.#gaps = new GapFiller((packet, samples) => this.#ogg.add(packet, samples));
    this.#order = new JitterBuffer((packet, arrived_at_ms) => this.#place(packet, arrived_at_ms));
  }

  #place(packet: MediaPacket, arrived_at_ms: number): void {
    const place = this.#timeline.place(packet.timestamp, arrived_at_ms, this.#was_paused);
    this.#was_paused = false;
    this.#gaps.add(packet.payload, place);
  }

  add(packet: MediaPacket, now_ms: number): void {
    this.#order.push(packet, now_ms);
  }

  /** The sender muted itself: the next packet is placed by the local clock. */
  markPause(): void {
    this.#was_paused = true;
  }

  /** To be called about once a second: flushes, so that a crash loses little. */
  tick(now_ms: number): void {
    this.#order.flush(now_ms);
    this.#ogg.flush();
  }

  /** The duration so far, in ms. */
  durationMs(): number {
    return Math.round(this.#gaps.writtenMs());
  }

  sizeBytes(): number {
    return this.#file.bytes;
  }

  /** Closes the file. @throws the write error; what was written before is kept */
  async close(): Promise<void> {
    this.#order.flush(Infinity);
    this.#ogg.end();
    await this.#file.close();
  }
}

/** Repairs a file whose writer was killed. @returns its duration in ms and size in bytes */
export async function repairTrackFile(path: string): Promise<{ duration_ms: number; size_bytes: number }> {
  const file = await open(path, 'r+');
  try {
    const samples = await endFile(file);
    return { duration_ms: Math.round(samples / 48), size_bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}
