/** A recorder without a media server: it logs its calls, and returns what the test provides. */
import type { Recorded, RecordedVideo, RecordedTrack, Recorder, RecordingSize } from '../../engines/ports.ts';

/** A recorder without a media server, which a test operates. */
export type FakeRecorder = Recorder & {
  /** The running recordings, by id, with their rooms. */
  running: ReadonlyMap<string, string>;
  /** The people whom a running recording omits at this moment. */
  withheld(recording_id: string): Promise<string[]>;
  /** Reports the size of a running recording, which ends if it is full. @returns whether it is */
  grow(recording_id: string, size: RecordingSize): Promise<boolean>;
  /** The tracks that every recording has. */
  tracks: RecordedTrack[];
  videos: RecordedVideo[];
  /** What an earlier process left, for `recover`. */
  left: Recorded[];
  discarded: string[];
  /** Ends a recording as the end of its room does. */
  end(recording_id: string): void;
};

/** Creates one. @param now the clock of the test */
export function createFakeRecorder(now: () => Date): FakeRecorder {
  const ends = new Map<string, () => Recorded>();
  const fulls = new Map<string, (size: RecordingSize) => Promise<boolean>>();
  const running = new Map<string, string>();
  const withheld_by_recording = new Map<string, () => Promise<string[]>>();
  const fake: FakeRecorder = {
    running,
    tracks: [],
    videos: [],
    left: [],
    discarded: [],
    end: (recording_id) => void ends.get(recording_id)?.(),
    withheld: (recording_id) => withheld_by_recording.get(recording_id)?.() ?? Promise.resolve([]),
    async grow(recording_id, size) {
      const is_full = (await fulls.get(recording_id)?.(size)) ?? false;
      if (is_full) ends.get(recording_id)?.();
      return is_full;
    },
    start({ room, recording_id, withheld, isFull }) {
      withheld_by_recording.set(recording_id, withheld);
      if (isFull) fulls.set(recording_id, isFull);
      const ended = Promise.withResolvers<Recorded>();
      const started_at = now();
      running.set(recording_id, room);
      const end = () => {
        const duration_ms = now().getTime() - started_at.getTime();
        const recorded = { recording_id, room, started_at, duration_ms, tracks: fake.tracks, videos: fake.videos };
        running.delete(recording_id);
        ended.resolve(recorded);
        return recorded;
      };
      ends.set(recording_id, end);
      return Promise.resolve({ ended: ended.promise, stop: () => Promise.resolve(end()) });
    },
    identityOf: (recording_id) => `recorder-${recording_id}`,
    recover: () => Promise.resolve(fake.left),
    discard(recording_id) {
      fake.discarded.push(recording_id);
      fake.left = fake.left.filter((recorded) => recorded.recording_id !== recording_id);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return fake;
}
