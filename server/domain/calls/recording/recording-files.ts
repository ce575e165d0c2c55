/** The files of a recording: a video if a camera or screen was recorded, one audio file, or a file for each track. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MixInput, Recorded, RecordedVideo, RecordedTrack } from '../../../engines/ports.ts';
import { createFairQueue, createQueues } from '../../../kernel/load/fair-queue.ts';
import { decodePictures } from '../../../kernel/media/media.ts';
import { video_frame_ms, video_height, video_width, findScenes } from '../../../kernel/media/scenes.ts';
import type { Services } from '../../../kernel/services.ts';
import { blobKey, type GeneratedFile } from '../../files/uploads.ts';
import { default_limits } from '../../../kernel/load/limits.ts';

/** A file of a recording, with its participant, which is null for a mix of all, and its start time. */
export type RecordingFile = RecordedPart & { file: GeneratedFile };

/** What is stored about a file of a recording. */
export type RecordedPart = { name: string | null; identity: string | null; starts_ms: number };

/** Nothing is refused however much waits: the recordings are on the disk already, and would be lost. */
const createTurns = (running: number, running_per_account: number) =>
  createFairQueue({ running, running_per_account, waiting: Infinity }, () => {
    throw new Error('a queue without a limit is full');
  });

/**
 * The queues of mixes and of videos, by engine: round robin over accounts, so that nobody waits for all recordings of
 * another.
 */
const mixingOf = createQueues((_transcoder: Services['transcoder'], limits: Services['limits']) =>
  createTurns(limits.mixing_running, limits.making_per_account),
);
const composingOf = createQueues((_transcoder: Services['transcoder'], limits: Services['limits']) =>
  createTurns(limits.composing_running, limits.making_per_account),
);

/**
 * Makes the files of a recording and stores them; none when nothing was recorded.
 * @param owner_id the account whose turn it waits for
 * @throws errors of the storage
 */
export async function makeFiles(
  services: Services,
  owner_id: string,
  recorded: Recorded,
  chapters: MixInput['chapters'],
): Promise<RecordingFile[]> {
  const { transcoder, limits } = services;
  const tracks = longestOf(recorded.tracks.filter(({ duration_ms }) => duration_ms > 0));
  const videos = recorded.videos.filter(({ duration_ms }) => duration_ms > 0);
  const folder = dirname([...tracks, ...videos][0]?.path ?? '');
  const { duration_ms } = recorded;
  const audio = { tracks: tracks.map(({ path, starts_ms }) => ({ path, starts_ms })), chapters, duration_ms };
  if (videos.length > 0) {
    const video = await composingOf(transcoder, limits).run(owner_id, () =>
      composeVideo(services, videos, { ...audio, into: join(folder, 'video.mp4') }),
    );
    if (video) return [{ name: null, identity: null, starts_ms: 0, file: video }];
    services.log.warn({ recording_id: recorded.recording_id }, 'a recording is stored without its video');
  }
  if (tracks.length === 0) return [];
  const into = join(folder, 'mixed.ogg');
  const mixed = await mixingOf(transcoder, limits).run(owner_id, () => transcoder.mix({ ...audio, into }));
  if (mixed) return [{ name: null, identity: null, starts_ms: 0, file: await storeAudio(services, into, duration_ms) }];
  return storeTracks(services, tracks);
}

/** Deletes what was made of a recording that is not wanted any more. */
export async function discardFiles({ blobs }: Pick<Services, 'blobs'>, made: RecordingFile[]): Promise<void> {
  for (const { file } of made)
    for (const name of file.video ? ['main', file.video.poster.name] : ['main'])
      await blobs.remove(blobKey(file.id, name));
}

/** The tracks to keep, in order: if there are too many, the longest. */
function longestOf(tracks: RecordedTrack[]): RecordedTrack[] {
  const longest = tracks.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, default_limits.recording_tracks);
  return tracks.filter((track) => longest.includes(track));
}

async function composeVideo(
  services: Services,
  videos: RecordedVideo[],
  mixture: MixInput,
): Promise<GeneratedFile | undefined> {
  const { into, duration_ms } = mixture;
  const scenes = findScenes(videos, duration_ms);
  const size = { width: video_width, height: video_height };
  const video = await services.transcoder.composeVideo({ ...mixture, ...size, scenes, frame_ms: video_frame_ms });
  if (!video) return undefined;
  const { sizes, blurhash } = await services.decoder.use('recordings', (decode) =>
    decodePictures(decode, video.poster),
  );
  const { bytes, width, height } = sizes.large;
  const id = services.id('file');
  await services.blobs.put(blobKey(id, 'main'), createReadStream(into), { content_type: 'video/mp4' });
  await services.blobs.put(blobKey(id, 'poster'), bytes, { content_type: 'image/webp' });
  const poster = { name: 'poster' as const, width, height, size_bytes: bytes.length, content_type: 'image/webp' };
  return { id, main_bytes: video.size_bytes, duration_s: duration_ms / 1000, video: { ...size, blurhash, poster } };
}

async function storeTracks(services: Services, tracks: RecordedTrack[]): Promise<RecordingFile[]> {
  const kept: RecordingFile[] = [];
  for (const { path, name, identity, starts_ms, duration_ms } of tracks)
    kept.push({ name, identity, starts_ms, file: await storeAudio(services, path, duration_ms) });
  return kept;
}

async function storeAudio(services: Services, path: string, duration_ms: number): Promise<GeneratedFile> {
  const id = services.id('file');
  await services.blobs.put(blobKey(id, 'main'), createReadStream(path), { content_type: 'audio/ogg' });
  return { id, main_bytes: (await stat(path)).size, duration_s: duration_ms / 1000 };
}
