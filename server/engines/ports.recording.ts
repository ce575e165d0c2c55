/** The port of the recorder of media server rooms. */

/** Start and end, in ms from a recording's start. */
export type RecordedSpan = { from_ms: number; to_ms: number };

/** One audio track of a recording: Ogg Opus as sent, with gaps in time preserved. */
export type RecordedTrack = {
  /** A local file, kept until the recording is discarded. */
  path: string;
  identity: string;
  /** The name in the grant. */
  name: string;
  /** `microphone` or `screen_share_audio`. */
  source: string;
  /** The start of the file, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  muted: RecordedSpan[];
  /** When the media server detected the person as speaking. */
  spoke: RecordedSpan[];
};

/** A segment of a video track: VP8 in IVF as sent, of constant dimensions, starting with a key frame. */
export type RecordedVideo = {
  /** A local file, kept until the recording is discarded. */
  path: string;
  identity: string;
  name: string;
  /** The segments of one track are consecutive. */
  track_id: string;
  /** `camera` or `screen_share`. */
  source: string;
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  width: number;
  height: number;
};

/** A finished recording, in the local files of its tracks. */
export type Recorded = {
  recording_id: string;
  room: string;
  started_at: Date;
  duration_ms: number;
  tracks: RecordedTrack[];
  videos: RecordedVideo[];
};

/** What a running recording has written, and what is left on its disk. */
export type RecordingSize = { audio_bytes: number; video_bytes: number; duration_ms: number; free_bytes: number };

/** A recording that runs in this process. */
export type Recording = {
  /** Resolves when it has ended: by `stop`, with its room, because its participant was removed, or because it is full. */
  ended: Promise<Recorded>;
  /** Ends it. A repeated call returns the same result. */
  stop(): Promise<Recorded>;
};

/**
 * Records rooms of any media server, as a hidden participant that does not keep a room alive and is not in
 * `Media.participants`. LiveKit's SDKs show that the room is being recorded.
 */
export type Recorder = {
  /**
   * Joins an existing room and starts. A repeated call with the id of a running recording returns that one.
   * @param recording_id letters, digits, `_` and `-`
   * @param withheld the identities to exclude now: polled each second, and for each new participant
   * @param isFull whether a recording of that size must end; called every five seconds; by default it never must
   * @throws when the room does not exist or cannot be joined
   */
  start(input: {
    room: string;
    recording_id: string;
    withheld: () => Promise<string[]>;
    isFull?: (size: RecordingSize) => Promise<boolean>;
  }): Promise<Recording>;
  /** The identity to remove from the room (`Media.remove`) to end a recording on another node. */
  identityOf(recording_id: string): string;
  /**
   * Finished recordings in this process's folder, complete except for the last second if its process was killed. They
   * are to be mixed, stored and discarded.
   */
  recover(): Promise<Recorded[]>;
  /** Deletes the files of a recording; absence is not an error. */
  discard(recording_id: string): Promise<void>;
  /** Stops all recordings of this process; `recover` finds them. */
  close(): Promise<void>;
};
