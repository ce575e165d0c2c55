/** The index of a recording: the files in its folder, and when each was audible or visible. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repairIvf } from './ivf.ts';
import { repairTrackFile } from './track-file.ts';

/** Start and end, in ms from the recording's start. */
export type Span = { from_ms: number; to_ms: number };

/** A file of a track. */
type RecordedFile = {
  /** The file name within the recording's folder. */
  file: string;
  identity: string;
  name: string;
  track_id: string;
  /** The start of the file, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
};

/** An audio track, in Ogg Opus (RFC 7845). */
export type RecordedTrack = RecordedFile & {
  /** `microphone` or `screen_share_audio`. */
  source: string;
  muted: Span[];
  /** When the media server detected the person as speaking. */
  spoke: Span[];
};

/**
 * A segment of a video track, in IVF with VP8: of constant dimensions, starting with a key frame. A camera that is
 * switched off ends a segment, and so does a change of dimensions.
 */
export type RecordedVideo = RecordedFile & {
  /** `camera` or `screen_share`. */
  source: string;
  width: number;
  height: number;
};

/** The index of a recording, as stored in `index.json`. */
export type RecordingIndex = {
  recording_id: string;
  room: string;
  /** Milliseconds since 1970. */
  started_at_ms: number;
  /** Null while it runs, and after a crash until it is repaired. */
  duration_ms: number | null;
  tracks: RecordedTrack[];
  /** In the order of their start. */
  videos: RecordedVideo[];
};

const INDEX = 'index.json';

/** Writes the index atomically: a crash leaves the old or the new one. */
export async function writeIndex(folder: string, index: RecordingIndex): Promise<void> {
  const path = join(folder, INDEX);
  await writeFile(`${path}.new`, JSON.stringify(index, null, 2), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads an index; undefined when the folder has no valid one. */
export async function readIndex(folder: string): Promise<RecordingIndex | undefined> {
  try {
    const index = JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as RecordingIndex;
    // An index from before video was recorded has no list of videos.
    return { ...index, videos: (index.videos as RecordedVideo[] | undefined) ?? [] };
  } catch {
    return undefined;
  }
}

/** Repairs a recording whose process was killed: its files, and its index from the files. */
export async function repairRecording(folder: string): Promise<RecordingIndex | undefined> {
  const index = await readIndex(folder);
  if (!index || index.duration_ms !== null) return index;
  const files = new Set(await readdir(folder));
  index.tracks = index.tracks.filter(({ file }) => files.has(file));
  for (const track of index.tracks) Object.assign(track, await repairTrackFile(join(folder, track.file)));
  index.videos = index.videos.filter(({ file }) => files.has(file));
  for (const video of index.videos) Object.assign(video, await repairIvf(join(folder, video.file)));
  index.videos = index.videos.filter(({ duration_ms }) => duration_ms > 0);
  const all = [...index.tracks, ...index.videos];
  index.duration_ms = Math.max(0, ...all.map(({ starts_ms, duration_ms }) => starts_ms + duration_ms));
  await writeIndex(folder, index);
  return index;
}
