/** The port of what records the rooms of the media server. */

/** From and to, in ms from a recording's start. */
export type RecordedSpan = { from_ms: number; to_ms: number };

/** One track of a recording: Ogg Opus as it came from the sender, with gaps kept in time. */
export type RecordedTrack = {
  /** A file of this machine, there until the recording is discarded. */
  path: string;
  identity: string;
  /** The name that the grant gave. */
  name: string;
  /** `microphone` or `screen_share_audio`. */
  source: string;
  /** Where the file begins, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  muted: RecordedSpan[];
  /** When the media server counted the person as speaking. */
  spoke: RecordedSpan[];
};

/** A piece of a track's pictures: VP8 in IVF as it came from the sender, of one size, beginning with a key frame. */
export type RecordedPicture = {
  /** A file of this machine, there until the recording is discarded. */
  path: string;
  identity: string;
  name: string;
  /** The pieces of one track follow each other. */
  track_id: string;
  /** `camera` or `screen_share`. */
  source: string;
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  width: number;
  height: number;
};

export type Recorded = {
  recording_id: string;
  room: string;
  started_at: Date;
  duration_ms: number;
  tracks: RecordedTrack[];
  pictures: RecordedPicture[];
};

/** A recording under way in this process. */
export type Recording = {
  /** Resolves when it has ended: by `stop`, because its room did, or because its listener was removed from the room. */
  ended: Promise<Recorded>;
  /** Ends it. A repeat answers the same. */
  stop(): Promise<Recorded>;
};

/**
 * Records rooms of the media server, whichever it is, as a participant that is hidden, keeps no room alive and is not
 * among `Media.participants`. Clients of LiveKit's SDKs are told by it that the room is being recorded.
 */
export type Recorder = {
  /**
   * Joins a room that is there and begins. A repeat with the id of one that runs here answers that one.
   * @param recording_id letters, digits, `_` and `-`
   * @param withheld whom it must leave out at this moment, by identity: asked again each second, and for whoever comes
   * @throws when the room is not there or cannot be joined
   */
  start(input: { room: string; recording_id: string; withheld: () => Promise<string[]> }): Promise<Recording>;
  /** Whom to remove from the room (`Media.remove`) to end a recording that another node runs. */
  identityOf(recording_id: string): string;
  /** What lies here and does not run, whole but for the last second when its process was killed: mix it, keep it, discard it. */
  recover(): Promise<Recorded[]>;
  /** Takes the files of a recording away; being gone is no error. */
  discard(recording_id: string): Promise<void>;
  /** Ends all that run here; `recover` finds them. */
  close(): Promise<void>;
};
