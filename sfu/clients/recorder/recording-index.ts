/** The index of a recording: what lies in its folder, and when each of it was heard or seen. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repairIvf } from './ivf.ts';
import { repairTrackFile } from './track-file.ts';

/** From and to, in ms from the recording's start. */
export type Span = { from_ms: number; to_ms: number };

/** A file of a track. */
type RecordedFile = {
  /** Its name in the recording's folder. */
  file: string;
  identity: string;
  name: string;
  track_id: string;
  /** Where the file begins, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
};

/** The sound of one track, in Ogg Opus (RFC 7845). */
export type RecordedTrack = RecordedFile & {
  /** `microphone` or `screen_share_audio`. */
  source: string;
  muted: Span[];
  /** When the media server counted the person as speaking. */
  spoke: Span[];
};

/**
 * A piece of one track's pictures, in IVF with VP8: of one size, from a key frame on. A camera that is off ends a piece,
 * and so does a picture of another size.
 */
export type RecordedPicture = RecordedFile & {
  /** `camera` or `screen_share`. */
  source: string;
  width: number;
  height: number;
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
  /** In the order in which they began. */
  pictures: RecordedPicture[];
};

const INDEX = 'index.json';

/** Writes the index so that a crash leaves the old one or the new one. */
export async function writeIndex(folder: string, index: RecordingIndex): Promise<void> {
  const path = join(folder, INDEX);
  await writeFile(`${path}.new`, JSON.stringify(index, null, 2), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads an index; undefined when the folder holds none that is whole. */
export async function readIndex(folder: string): Promise<RecordingIndex | undefined> {
  try {
    const index = JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as RecordingIndex;
    // One of before pictures were recorded names none.
    return { ...index, pictures: (index.pictures as RecordedPicture[] | undefined) ?? [] };
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
  index.pictures = index.pictures.filter(({ file }) => files.has(file));
  for (const picture of index.pictures) Object.assign(picture, await repairIvf(join(folder, picture.file)));
  index.pictures = index.pictures.filter(({ duration_ms }) => duration_ms > 0);
  const all = [...index.tracks, ...index.pictures];
  index.duration_ms = Math.max(0, ...all.map(({ starts_ms, duration_ms }) => starts_ms + duration_ms));
  await writeIndex(folder, index);
  return index;
}
