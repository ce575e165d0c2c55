/** Adapts the recorder of `sfu/` to its port. */
import type { Media, Recorded, Recorder } from '../../engines/ports.ts';
import type { Recording } from '../../../sfu/clients/recorder/recording.ts';

/** The media server that is recorded: its API for this process (`http:` or `https:`), and its API key. */
export type RecorderAddress = { api_url: string; api_key: string; api_secret: string };

/** Opens the recorder of a media server, with a separate folder; no room is joined before the first recording. */
export async function openRecorder(
  { api_url, api_key, api_secret }: RecorderAddress,
  { hasRoom }: Pick<Media, 'hasRoom'>,
  folder: string,
  log: (line: string) => void,
): Promise<Recorder> {
  const { identityOf, Recorder: Recordings } = await import('../../../sfu/clients/recorder/recorder.ts');
  const recordings = new Recordings({
    url: api_url,
    api_key,
    api_secret,
    hasRoom,
    folder,
    log: (level, message, details) => {
      if (level !== 'info') log(`recorder: ${message}: ${String(details['error'] ?? '')}`);
    },
  });
  type Index = Awaited<ReturnType<Recording['stop']>>;
  const present = ({ recording_id, room, started_at_ms, duration_ms, ...index }: Index): Recorded => ({
    recording_id,
    room,
    started_at: new Date(started_at_ms),
    duration_ms: duration_ms ?? 0,
    tracks: index.tracks.map(({ file, ...track }) => ({ path: recordings.pathOf(recording_id, file), ...track })),
    videos: index.videos.map(({ file, ...piece }) => ({ path: recordings.pathOf(recording_id, file), ...piece })),
  });
  return {
    async start({ room, recording_id, withheld, isFull }) {
      const recording = await recordings.start(room, recording_id, withheld, isFull);
      return { ended: recording.ended.then(present), stop: () => recording.stop().then(present) };
    },
    identityOf,
    recover: async () => (await recordings.recover()).map(present),
    discard: (recording_id) => recordings.discard(recording_id),
    close: () => recordings.close(),
  };
}
