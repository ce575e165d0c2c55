/** One recording under way: a listener in the room, a file for each track, and the index beside them. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeardTrack, ListenerEvents, RoomListener } from './room-listener.ts';
import type { TrackPacket } from './receiving-peer.ts';
import { repairTrackFile, TrackFile } from './track-file.ts';

/** From and to, in ms from the recording's start. */
export type Span = { from_ms: number; to_ms: number };

/** What one track left behind. */
export type RecordedTrack = {
  /** The file's name in the recording's folder: Ogg Opus (RFC 7845). */
  file: string;
  identity: string;
  name: string;
  track_id: string;
  /** `microphone` or `screen_share_audio`. */
  source: string;
  /** Where the file begins, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  muted: Span[];
  /** When the media server counted the person as speaking. */
  spoke: Span[];
};

/** The index of a recording, as it stands in `index.json`. */
export type RecordingIndex = {
  recording_id: string;
  room: string;
  /** Milliseconds since 1970. */
  started_at_ms: number;
  /** Null while it runs, and after a crash until it is repaired. */
  duration_ms: number | null;
  tracks: RecordedTrack[];
};

const INDEX = 'index.json';
const TICK_MS = 1_000;
/** What LiveKit's meter needs before it says that somebody speaks. */
const SPEECH_NOTICE_MS = 400;

type LiveTrack = {
  entry: RecordedTrack;
  /** Undefined until the first packet has come. */
  file: TrackFile | undefined;
  opening: Promise<void> | undefined;
  muted_since_ms: number | undefined;
  spoke_since_ms: number | undefined;
};

export type RecordingOptions = {
  folder: string;
  recording_id: string;
  room: string;
  /** Joins the room. */
  listen(events: ListenerEvents): Promise<Pick<RoomListener, 'leave'>>;
  /** Resolves when the room is there again after the line was lost; false when it is not to be had any more. */
  awaitRoom(signal: AbortSignal): Promise<boolean>;
  onError(error: unknown): void;
};

/** Writes the index so that a crash leaves the old one or the new one. */
async function writeIndex(folder: string, index: RecordingIndex): Promise<void> {
  const path = join(folder, INDEX);
  await writeFile(`${path}.new`, JSON.stringify(index, null, 2), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads an index; undefined when the folder holds none that is whole. */
export async function readIndex(folder: string): Promise<RecordingIndex | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as RecordingIndex;
  } catch {
    return undefined;
  }
}

/** Makes a recording whole whose process was killed: ends its files, and its index with the figures of the files. */
export async function repairRecording(folder: string): Promise<RecordingIndex | undefined> {
  const index = await readIndex(folder);
  if (!index || index.duration_ms !== null) return index;
  const files = new Set(await readdir(folder));
  index.tracks = index.tracks.filter(({ file }) => files.has(file));
  for (const track of index.tracks) Object.assign(track, await repairTrackFile(join(folder, track.file)));
  index.duration_ms = Math.max(0, ...index.tracks.map(({ starts_ms, duration_ms }) => starts_ms + duration_ms));
  await writeIndex(folder, index);
  return index;
}

/** One recording, from `start` to its end. */
export class Recording {
  readonly #options: RecordingOptions;
  readonly #index: RecordingIndex;
  readonly #started_at_ms = performance.now();
  readonly #tracks = new Map<string, LiveTrack>();
  readonly #stopping = new AbortController();
  #listener: Pick<RoomListener, 'leave'> | undefined;
  #clock: NodeJS.Timeout | undefined;
  #files = 0;
  #finishing: Promise<RecordingIndex> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closing: Promise<unknown> = Promise.resolve();
  readonly #ended = Promise.withResolvers<RecordingIndex>();
  /** Resolves when it has ended, by `stop` or because its room did. */
  readonly ended = this.#ended.promise;

  /** Joins the room and begins. @throws Error when the room cannot be joined or the folder cannot be made */
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
    const { recording_id, room } = options;
    this.#index = { recording_id, room, started_at_ms: Date.now(), duration_ms: null, tracks: [] };
  }

  #now_ms(): number {
    return Math.round(performance.now() - this.#started_at_ms);
  }

  async #join(): Promise<void> {
    const listener = await this.#options.listen({
      onTracks: (tracks) => this.#updateTracks(tracks),
      onPacket: (packet) => this.#receive(packet),
      onSpeaking: (identity, active) => this.#noteSpeech(identity, active),
      onEnd: (may_return) => void this.#noteEnd(may_return),
    });
    // Who stopped it meanwhile had nobody yet to send away.
    if (this.#stopping.signal.aborted) listener.leave();
    else this.#listener = listener;
  }

  /** The line is lost: what was heard stays, and the room is joined anew unless it is over. */
  async #noteEnd(may_return: boolean): Promise<void> {
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

  #updateTracks(heard: HeardTrack[]): void {
    const now_ms = this.#now_ms();
    for (const { track_sid, identity, name, source, muted } of heard) {
      const track = this.#tracks.get(track_sid) ?? this.#addTrack({ track_sid, identity, name, source });
      if (muted && track.muted_since_ms === undefined) {
        track.muted_since_ms = now_ms;
        track.file?.notePause();
      } else if (!muted) closeSpan(track.entry.muted, track, 'muted_since_ms', now_ms);
    }
    const present = new Set(heard.map(({ track_sid }) => track_sid));
    for (const track_sid of this.#tracks.keys()) if (!present.has(track_sid)) this.#closeTrack(track_sid);
  }

  #addTrack({ track_sid, identity, name, source }: Omit<HeardTrack, 'muted'>): LiveTrack {
    const track: LiveTrack = {
      entry: {
        file: '',
        identity,
        name,
        track_id: track_sid,
        source,
        starts_ms: 0,
        duration_ms: 0,
        size_bytes: 0,
        muted: [],
        spoke: [],
      },
      file: undefined,
      opening: undefined,
      muted_since_ms: undefined,
      spoke_since_ms: undefined,
    };
    this.#tracks.set(track_sid, track);
    return track;
  }

  #receive({ track_sid, ...packet }: TrackPacket): void {
    const track = this.#tracks.get(track_sid);
    if (!track || this.#stopping.signal.aborted) return;
    if (track.file) return track.file.add(packet, performance.now());
    // The packets that come while the file is made are few, and lost.
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
    void this.#writeIndex();
  }

  #writeIndex(): Promise<void> {
    this.#writing = this.#writing
      .then(() => writeIndex(this.#options.folder, this.#index))
      .catch((error: unknown) => this.#options.onError(error));
    return this.#writing;
  }

  #closeTrack(track_sid: string): void {
    const track = this.#tracks.get(track_sid);
    if (!track) return;
    this.#tracks.delete(track_sid);
    const now_ms = this.#now_ms();
    closeSpan(track.entry.muted, track, 'muted_since_ms', now_ms);
    closeSpan(track.entry.spoke, track, 'spoke_since_ms', now_ms);
    const end = async () => {
      await track.opening;
      await track.file?.close();
      this.#measure(track);
    };
    this.#closing = Promise.all([this.#closing, end().catch((error: unknown) => this.#options.onError(error))]);
  }

  /** Resolves when the files of all tracks that have ended are whole. */
  async #closeTracks(): Promise<void> {
    for (const track_sid of this.#tracks.keys()) this.#closeTrack(track_sid);
    await this.#closing;
  }

  /** Leaves the room and ends all files. A repeat answers the same. */
  stop(): Promise<RecordingIndex> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async #finish(): Promise<RecordingIndex> {
    this.#stopping.abort();
    clearInterval(this.#clock);
    this.#listener?.leave();
    const closing = this.#closeTracks();
    // Nothing that a track notes is later than the end.
    this.#index.duration_ms = this.#now_ms();
    await closing;
    await this.#writeIndex();
    this.#ended.resolve(this.#index);
    return this.#index;
  }
}

/** Notes a span that has ended, where one had begun. */
function closeSpan(spans: Span[], track: LiveTrack, begun: 'muted_since_ms' | 'spoke_since_ms', to_ms: number): void {
  const from_ms = track[begun];
  if (from_ms === undefined) return;
  track[begun] = undefined;
  spans.push({ from_ms, to_ms });
}
