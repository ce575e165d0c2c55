/** The files of a recording: a video if there were pictures, one audio file, or a file for each track. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mixture, Recorded, RecordedPicture, RecordedTrack } from '../../../engines/ports.ts';
import { decodePictures } from '../../../kernel/media/media.ts';
import { film_frame_ms, film_height, film_width, findScenes } from '../../../kernel/media/scenes.ts';
import type { Services } from '../../../kernel/services.ts';
import { blobKey, type GeneratedFile } from '../../files/uploads.ts';
import { default_limits } from '../../../kernel/load/limits.ts';

/** A file of a recording: whose it is, null when it is a mix of all, and when it starts. */
export type RecordingFile = RecordedPart & { file: GeneratedFile };

/** What is stored about a file of a recording. */
export type RecordedPart = { name: string | null; identity: string | null; starts_ms: number };

/** Makes the files of a recording and stores them; none when nothing was recorded. @throws errors of the storage */
export async function makeFiles(
  services: Services,
  recorded: Recorded,
  chapters: Mixture['chapters'],
): Promise<RecordingFile[]> {
  const tracks = longestOf(recorded.tracks.filter(({ duration_ms }) => duration_ms > 0));
  const pictures = recorded.pictures.filter(({ duration_ms }) => duration_ms > 0);
  const folder = dirname([...tracks, ...pictures][0]?.path ?? '');
  const { duration_ms } = recorded;
  const sound = { tracks: tracks.map(({ path, starts_ms }) => ({ path, starts_ms })), chapters, duration_ms };
  if (pictures.length > 0) {
    const film = await makeFilm(services, pictures, { ...sound, into: join(folder, 'film.mp4') });
    if (film) return [{ name: null, identity: null, starts_ms: 0, file: film }];
    services.log.warn({ recording_id: recorded.recording_id }, 'a recording is kept without its pictures');
  }
  if (tracks.length === 0) return [];
  const into = join(folder, 'mixed.ogg');
  const mixed = await services.transcoder.mix({ ...sound, into });
  if (mixed) return [{ name: null, identity: null, starts_ms: 0, file: await storeSound(services, into, duration_ms) }];
  return keepTracks(services, tracks);
}

/** The tracks to keep, in order: if there are too many, the longest. */
function longestOf(tracks: RecordedTrack[]): RecordedTrack[] {
  const longest = tracks.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, default_limits.recording_tracks);
  return tracks.filter((track) => longest.includes(track));
}

async function makeFilm(
  services: Services,
  pictures: RecordedPicture[],
  mixture: Mixture,
): Promise<GeneratedFile | undefined> {
  const { into, duration_ms } = mixture;
  const scenes = findScenes(pictures, duration_ms);
  const size = { width: film_width, height: film_height };
  const film = await services.transcoder.film({ ...mixture, ...size, scenes, frame_ms: film_frame_ms });
  if (!film) return undefined;
  const { sizes, blurhash } = await services.decoder.use('recordings', (decode) => decodePictures(decode, film.poster));
  const { bytes, width, height } = sizes.large;
  const id = services.id('file');
  await services.blobs.put(blobKey(id, 'main'), createReadStream(into), { content_type: 'video/mp4' });
  await services.blobs.put(blobKey(id, 'poster'), bytes, { content_type: 'image/webp' });
  const poster = { name: 'poster' as const, width, height, size_bytes: bytes.length, content_type: 'image/webp' };
  return { id, main_bytes: film.size_bytes, duration_s: duration_ms / 1000, film: { ...size, blurhash, poster } };
}

async function keepTracks(services: Services, tracks: RecordedTrack[]): Promise<RecordingFile[]> {
  const kept: RecordingFile[] = [];
  for (const { path, name, identity, starts_ms, duration_ms } of tracks)
    kept.push({ name, identity, starts_ms, file: await storeSound(services, path, duration_ms) });
  return kept;
}

async function storeSound(services: Services, path: string, duration_ms: number): Promise<GeneratedFile> {
  const id = services.id('file');
  await services.blobs.put(blobKey(id, 'main'), createReadStream(path), { content_type: 'audio/ogg' });
  return { id, main_bytes: (await stat(path)).size, duration_s: duration_ms / 1000 };
}
