/** A running recording: a hidden participant in the room, a file for each track, and the index. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsentWatch } from './consent-watch.ts';
import { VideoTrack, type VideoBudget } from './video-track.ts';
import type { TrackPacket } from './receiving-peer.ts';
import { closeSpan, createLiveTrack, type LiveTrack } from './live-track.ts';
import { writeIndex, type RecordingIndex } from './recording-index.ts';
import { isRecordable, type SubscribedTrack, type ListenerEvents, type RoomListener } from './room-listener.ts';
import { SizeWatch, type IsFull } from './size-watch.ts';
import { TrackFile } from './track-file.ts';

const TICK_MS = 1_000;
/** How long LiveKit's audio level must last before somebody counts as speaking. */
const SPEECH_NOTICE_MS = 400;
/** The video budget of one recording: two hours of ten people at 1 Mbit/s; its audio continues beyond that. */
const VIDEO_BUDGET: VideoBudget = { bytes: 8 * 1024 ** 3, segments: 2_000 };

type About = Omit<SubscribedTrack, 'kind' | 'muted'>;

/** The part of the room session that a recording uses. */
export type RoomSession = Pick<RoomListener, 'leave' | 'requestKeyFrame' | 'requestPackets' | 'review'>;

/** One recording: its room, its folder, and what may end it. */
export type RecordingOptions = {
  folder: string;
  recording_id: string;
  room: string;
  /** The identities to leave out at this moment. */
  withheld(): Promise<string[]>;
  /** Whether a recording of this size must end. */
  isFull: IsFull;
  /** Joins the room. */
  listen(events: ListenerEvents): Promise<RoomSession>;
  /** Resolves when the room exists again after the connection was lost; false when it is gone for good. */
  awaitRoom(signal: AbortSignal): Promise<boolean>;
  onError(error: unknown): void;
};

/** One recording, from `start` to its end. */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #index: RecordingIndex;
  readonly #started_at_ms = performance.now();
  readonly #tracks = new Map<string, LiveTrack>();
  /** By track; undefined for a codec that is not recorded. */
  readonly #videos = new Map<string, VideoTrack | undefined>();
  readonly #budget = { ...VIDEO_BUDGET };
  readonly #stopping = new AbortController();
  readonly #consent: ConsentWatch;
  readonly #size: SizeWatch;
  #listener: RoomSession | undefined;
  #clock: NodeJS.Timeout | undefined;
  #files = 0;
  #finishing: Promise<RecordingIndex> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closing: Promise<unknown> = Promise.resolve();
  readonly #ended = Promise.withResolvers<RecordingIndex>();
  /** Resolves when it has ended, by `stop` or with its room. */
  readonly ended = this.#ended.promise;

  /** Joins the room and starts. @throws Error when the room cannot be joined or the folder cannot be created */
  static async start(options: RecordingOptions): Promise<Recording> {
    const recording = new Recording(options);
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    await writeIndex(options.folder, recording.#index);
    await recording.#join();
    recording.#clock = setInterval(() => recording.#tick(), TICK_MS);
    return recording;
  }

  private constructor(options: RecordingOptions) {
    this.#options = options;
    const { recording_id, room, folder, withheld, isFull, onError } = options;
    this.#size = new SizeWatch(folder, isFull, onError);
    this.#consent = new ConsentWatch(withheld, () => this.#listener?.review(), onError);
    this.#index = { recording_id, room, started_at_ms: Date.now(), duration_ms: null, tracks: [], videos: [] };
  }

  #now_ms(): number {
    return Math.round(performance.now() - this.#started_at_ms);
  }

  async #join(): Promise<void> {
    const listener = await this.#options.listen({
      onTracks: (tracks) => this.#updateTracks(tracks),
      onPacket: (packet) => this.#receive(packet),
      isWithheld: (identity) => this.#consent.isWithheld(identity),
      onSpeaking: (identity, active) => this.#noteSpeech(identity, active),
      onEnd: (may_return, refusal) => {
        if (refusal) this.#options.onError(refusal);
        void this.#recordEnd(may_return);
      },
    });
    // If it was stopped meanwhile, there was nobody to disconnect yet.
    if (this.#stopping.signal.aborted) listener.leave();
    else this.#listener = listener;
    this.#listener?.review();
  }

  /** The connection is lost: what was recorded stays, and the room is joined again unless it has ended. */
  async #recordEnd(may_return: boolean): Promise<void> {
    await this.#closeTracks();
    const { signal } = this.#stopping;
    if (may_return) {
      while (!signal.aborted && (await this.#options.awaitRoom(signal))) {
        try {
          return await this.#join();
        } catch (error) {
          this.#options.onError(error);
        }
      }
    }
    await this.stop();
  }

  #updateTracks(tracks: SubscribedTrack[]): void {
    const now_ms = this.#now_ms();
    for (const { kind, muted, ...about } of tracks) {
      const { track_sid, identity, name, source } = about;
      if (kind === 'video') {
        if (!this.#videos.has(track_sid)) this.#videos.set(track_sid, this.#addVideo(about));
        if (muted) this.#videos.get(track_sid)?.markPause(now_ms);
        continue;
      }
      const track = this.#tracks.get(track_sid) ?? this.#addTrack({ track_sid, identity, name, source });
      if (muted && track.muted_since_ms === undefined) {
        track.muted_since_ms = now_ms;
        track.file?.markPause();
      } else if (!muted) closeSpan(track.entry.muted, track, 'muted_since_ms', now_ms);
    }
    const present = new Set(tracks.map(({ track_sid }) => track_sid));
    for (const track_sid of [...this.#tracks.keys(), ...this.#videos.keys()])
      if (!present.has(track_sid)) this.#closeTrack(track_sid);
  }

  #addVideo({ track_sid, identity, name, source, codec }: About): VideoTrack | undefined {
    if (!isRecordable('video', codec)) {
      this.#options.onError(new Error(`video in ${codec} is not recorded`));
      return undefined;
    }
    return new VideoTrack(
      { identity, name, track_id: track_sid, source },
      {
        folder: this.#options.folder,
        started_at_ms: this.#started_at_ms,
        budget: this.#budget,
        nameFile: () => `${++this.#files}.ivf`,
        onSegment: (entry) => {
          this.#index.videos.push(entry);
          void this.#writeIndex();
        },
        onError: this.#options.onError,
        requestKeyFrame: (sid) => this.#listener?.requestKeyFrame(sid),
        requestPackets: (sid, sequences) => this.#listener?.requestPackets(sid, sequences),
      },
    );
  }

  #addTrack({ track_sid, identity, name, source }: Omit<About, 'codec'>): LiveTrack {
    const track = createLiveTrack({ identity, name, track_id: track_sid, source });
    this.#tracks.set(track_sid, track);
    return track;
  }

  #receive({ track_sid, ...packet }: TrackPacket): void {
    if (this.#stopping.signal.aborted) return;
    this.#videos.get(track_sid)?.add(packet, performance.now());
    const track = this.#tracks.get(track_sid);
    // A packet without payload, such as padding, says nothing about audio.
    if (!track || packet.payload.length === 0) return;
    if (track.file) return track.file.add(packet, performance.now());
    // The few packets that arrive while the file is created are lost.
    track.opening ??= this.#openFile(track).catch((error: unknown) => this.#options.onError(error));
  }

  async #openFile(track: LiveTrack): Promise<void> {
    const file = `${++this.#files}.ogg`;
    const opened = await TrackFile.create(join(this.#options.folder, file));
    track.entry.file = file;
    track.entry.starts_ms = this.#now_ms();
    track.file = opened;
    this.#index.tracks.push(track.entry);
    void this.#writeIndex();
  }

  #noteSpeech(identity: string, active: boolean): void {
    const now_ms = this.#now_ms();
    for (const track of this.#tracks.values()) {
      if (track.entry.identity !== identity) continue;
      if (active) track.spoke_since_ms ??= Math.max(0, now_ms - SPEECH_NOTICE_MS);
      else closeSpan(track.entry.spoke, track, 'spoke_since_ms', now_ms);
    }
  }

  #measure({ entry, file }: LiveTrack): void {
    if (!file) return;
    entry.duration_ms = file.durationMs();
    entry.size_bytes = file.sizeBytes();
  }

  #tick(): void {
    const now_ms = performance.now();
    for (const track of this.#tracks.values()) {
      track.file?.tick(now_ms);
      this.#measure(track);
    }
    for (const videos of this.#videos.values()) videos?.tick(now_ms);
    void this.#consent.review();
    void this.#writeIndex();
    void this.#checkSize(now_ms);
  }

  /** Ends the recording, as `stop` does, when it may not grow any more: what it has is kept. */
  async #checkSize(now_ms: number): Promise<void> {
    const sizeOf = (files: { size_bytes: number }[]) => files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    const { tracks, videos } = this.#index;
    const written = { audio_bytes: sizeOf(tracks), video_bytes: sizeOf(videos), duration_ms: this.#now_ms() };
    if (await this.#size.check(written, now_ms)) await this.stop();
  }

  #writeIndex(): Promise<void> {
    this.#writing = this.#writing
      .then(() => writeIndex(this.#options.folder, this.#index))
      .catch((error: unknown) => this.#options.onError(error));
    return this.#writing;
  }

  /** Tracks the closing of a file. */
  #close(end: Promise<void>): void {
    const ended = end.catch((error: unknown) => this.#options.onError(error));
    this.#closing = Promise.all([this.#closing, ended]);
  }

  #closeTrack(track_sid: string): void {
    const now_ms = this.#now_ms();
    const videos = this.#videos.get(track_sid);
    this.#videos.delete(track_sid);
    if (videos) this.#close(videos.close(now_ms));
    const track = this.#tracks.get(track_sid);
    if (!track) return;
    this.#tracks.delete(track_sid);
    closeSpan(track.entry.muted, track, 'muted_since_ms', now_ms);
    closeSpan(track.entry.spoke, track, 'spoke_since_ms', now_ms);
    const end = async () => {
      await track.opening;
      await track.file?.close();
      this.#measure(track);
    };
    this.#close(end());
  }

  /** Resolves when the files of all ended tracks are complete. */
  async #closeTracks(): Promise<void> {
    for (const track_sid of [...this.#tracks.keys(), ...this.#videos.keys()]) this.#closeTrack(track_sid);
    await this.#closing;
  }

  /** Leaves the room and closes all files. A repeated call returns the same result. */
  stop(): Promise<RecordingIndex> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async #finish(): Promise<RecordingIndex> {
    this.#stopping.abort();
    clearInterval(this.#clock);
    this.#listener?.leave();
    const closing = this.#closeTracks();
    // Nothing recorded for a track may be later than the end.
    this.#index.duration_ms = this.#now_ms();
    await closing;
    await this.#writeIndex();
    this.#ended.resolve(this.#index);
    return this.#index;
  }
}
