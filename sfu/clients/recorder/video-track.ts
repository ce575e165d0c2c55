/**
 * One person's video as received, in segments of constant dimensions that survive a crash except for their last second.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Reception } from '../../forwarding/nack.ts';
import { AppendFile } from './append-file.ts';
import { encodeFrameHeader, encodeIvfHeader, LAST_FRAME_MS } from './ivf.ts';
import type { RecordedVideo } from './recording-index.ts';
import { JitterBuffer, RtpTimeline, type MediaPacket, type JitterBounds } from './rtp-timeline.ts';
import { Vp8Frames, type Frame } from './vp8-frames.ts';

const CLOCK_RATE = 90_000;
/** A frame has tens of packets, and a retransmission is worth waiting for. */
const PATIENCE: JitterBounds = { packets: 500, wait_ms: 500 };
/** The minimum interval between key frame requests. */
const ASK_MS = 1_000;
/** How long a video may last without a key frame until one is requested, so that mixing need not read a segment from its start. */
const REFRESH_MS = 20_000;
/** The placeholder that a media server sends for a disabled camera is smaller than this, in pixels. */
const MIN_PX = 32;
/** Larger frames are not genuine. */
const MAX_PIXELS = 4_096 * 2_304;
/**
 * How long the last frame of a camera that stops sending stays visible; that of a screen stays until the track ends.
 */
const CAMERA_STILL_MS = 5_000;
/** The buffer size at which it is flushed before the second is over. */
const WAITING_BYTES = 512 * 1024;

/** The remaining video budget of a recording, for all its tracks together. */
export type VideoBudget = { bytes: number; segments: number };

/** The part of a recording that a video track uses. */
export type VideoTrackHost = {
  folder: string;
  /** When the recording started, on the clock of `performance.now`. */
  started_at_ms: number;
  budget: VideoBudget;
  nameFile(): string;
  /** A segment has started; its fields are updated until it ends. */
  onSegment(entry: RecordedVideo): void;
  onError(error: unknown): void;
  requestKeyFrame(track_id: string): void;
  requestPackets(track_id: string, sequences: number[]): void;
};

/** What every file of a track has in common. */
export type VideoOwner = Pick<RecordedVideo, 'identity' | 'name' | 'track_id' | 'source'>;

/** One file being written. */
class Segment {
  readonly entry: RecordedVideo;
  readonly #starts_ms: number;
  #waiting: Buffer[];
  #waiting_bytes = 0;
  #last_ms = -1;
  #file: AppendFile | undefined;
  /** Resolves once the segment is listed, or cannot be. */
  readonly opening: Promise<void>;

  /**
   * @param before the segment to be listed first: they are listed in the order of their start, however long each file
   *   takes
   */
  constructor(entry: RecordedVideo, host: VideoTrackHost, before: Promise<void> | undefined) {
    this.entry = entry;
    this.#starts_ms = entry.starts_ms;
    this.#waiting = [encodeIvfHeader(entry.width, entry.height)];
    this.opening = (async () => {
      const [file] = await Promise.all([open(join(host.folder, entry.file), 'ax', 0o600), before]);
      this.#file = new AppendFile(file);
      host.onSegment(entry);
    })().catch((error: unknown) => host.onError(error));
  }

  /** @param at_ms from the recording's start */
  add(data: Buffer, at_ms: number): void {
    this.#last_ms = Math.max(this.#last_ms + 1, Math.round(at_ms - this.#starts_ms));
    this.#waiting.push(encodeFrameHeader(data, this.#last_ms), data);
    this.#waiting_bytes += data.length;
    if (this.#waiting_bytes > WAITING_BYTES) this.flush();
  }

  flush(): void {
    if (!this.#file || this.#waiting.length === 0) return;
    this.#file.add(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waiting_bytes = 0;
  }

  /** @param lead_ms by how much the first packet was delayed relative to the others */
  measure(lead_ms: number): void {
    const { entry } = this;
    entry.starts_ms = Math.max(0, Math.round(this.#starts_ms + lead_ms));
    entry.duration_ms = this.#last_ms + LAST_FRAME_MS;
    entry.size_bytes = this.#file?.bytes ?? 0;
  }

  /** @param end_ms until when it is visible, from the recording's start */
  async close(end_ms: number, lead_ms: number): Promise<void> {
    await this.opening;
    this.flush();
    try {
      await this.#file?.close();
    } finally {
      this.measure(lead_ms);
      const still_ms = this.entry.source === 'camera' ? CAMERA_STILL_MS : Infinity;
      const seen_ms = Math.min(end_ms - this.entry.starts_ms, this.#last_ms + still_ms);
      this.entry.duration_ms = Math.max(this.entry.duration_ms, Math.round(seen_ms));
    }
  }
}

/** The video of one track. */
export class VideoTrack {
  readonly #owner: VideoOwner;
  readonly #host: VideoTrackHost;
  readonly #order = new JitterBuffer((packet, arrived_at_ms) => this.#frames.push(packet, arrived_at_ms), PATIENCE);
  readonly #frames = new Vp8Frames((frame) => this.#place(frame));
  readonly #timeline = new RtpTimeline(CLOCK_RATE);
  readonly #reception = new Reception(0, CLOCK_RATE);
  #first_arrived_at_ms: number | undefined;
  #segment: Segment | undefined;
  #listed: Promise<void> | undefined;
  #was_paused = false;
  #asked_at_ms = -Infinity;
  #key_at_ms = -Infinity;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(owner: VideoOwner, host: VideoTrackHost) {
    this.#owner = owner;
    this.#host = host;
  }

  add(packet: MediaPacket, now_ms: number): void {
    this.#reception.add(packet.sequence, packet.timestamp, now_ms);
    this.#order.push(packet, now_ms);
    const missing = this.#reception.due(now_ms);
    if (missing.length > 0) this.#host.requestPackets(this.#owner.track_id, missing);
    const wants_key = this.#frames.waitsForKey() || now_ms - this.#key_at_ms > REFRESH_MS;
    if (!wants_key || now_ms - this.#asked_at_ms < ASK_MS) return;
    this.#asked_at_ms = now_ms;
    this.#host.requestKeyFrame(this.#owner.track_id);
  }

  #place(frame: Frame): void {
    const { key, width, height, data, arrived_at_ms } = frame;
    const ticks = this.#timeline.place(frame.timestamp, arrived_at_ms, this.#was_paused);
    this.#was_paused = false;
    this.#first_arrived_at_ms ??= arrived_at_ms;
    const at_ms = Math.max(0, this.#first_arrived_at_ms - this.#host.started_at_ms + (ticks * 1_000) / CLOCK_RATE);
    const { budget } = this.#host;
    const is_shown = width >= MIN_PX && height >= MIN_PX && width * height <= MAX_PIXELS;
    if (!is_shown) return this.#endSegment(at_ms);
    if (key) {
      this.#key_at_ms = arrived_at_ms;
      const { entry } = this.#segment ?? {};
      if (entry && (entry.width !== width || entry.height !== height)) this.#endSegment(at_ms);
      if (!this.#segment && budget.segments > 0) this.#beginSegment(frame, at_ms);
    }
    if (!this.#segment) return;
    budget.bytes -= data.length;
    if (budget.bytes >= 0) return this.#segment.add(data, at_ms);
    budget.segments = 0;
    this.#endSegment(at_ms);
    this.#host.onError(new Error('the recording has reached its limit of video'));
  }

  #beginSegment({ width, height }: Frame, at_ms: number): void {
    this.#host.budget.segments--;
    const measures = { starts_ms: at_ms, duration_ms: 0, size_bytes: 0, width, height };
    this.#segment = new Segment({ file: this.#host.nameFile(), ...this.#owner, ...measures }, this.#host, this.#listed);
    this.#listed = this.#segment.opening;
  }

  #endSegment(end_ms: number): void {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = undefined;
    const closed = segment.close(end_ms, this.#timeline.leadMs()).catch((error: unknown) => this.#host.onError(error));
    this.#closing = Promise.all([this.#closing, closed]);
  }

  /** The camera is off. @param at_ms from the recording's start */
  markPause(at_ms: number): void {
    this.#order.flush(Infinity);
    this.#endSegment(at_ms);
    this.#was_paused = true;
    this.#frames.awaitKey();
  }

  /** To be called about once a second: flushes, so that a crash loses little. */
  tick(now_ms: number): void {
    this.#order.flush(now_ms);
    this.#segment?.flush();
    this.#segment?.measure(this.#timeline.leadMs());
  }

  /** Closes the current file. @param at_ms from the recording's start */
  async close(at_ms: number): Promise<void> {
    this.#order.flush(Infinity);
    this.#endSegment(at_ms);
    await this.#closing;
  }
}
