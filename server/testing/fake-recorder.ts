/** A recorder without a media server: it logs its calls, and returns what the test provides. */
import type { Recorded, RecordedVideo, RecordedTrack, Recorder } from '../engines/ports.ts';

export type FakeRecorder = Recorder & {
  /** The running recordings, by id, with their rooms. */
  running: ReadonlyMap<string, string>;
  /** The people whom a running recording omits at this moment. */
  withheld(recording_id: string): Promise<string[]>;
  /** The tracks that every recording has. */
  tracks: RecordedTrack[];
  videos: RecordedVideo[];
  /** What an earlier process left, for `recover`. */
  left: Recorded[];
  discarded: string[];
  /** Ends a recording as the end of its room does. */
  end(recording_id: string): void;
};

export function createFakeRecorder(now: () => Date): FakeRecorder {
  const ends = new Map<string, () => Recorded>();
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
    start({ room, recording_id, withheld }) {
      withheld_by_recording.set(recording_id, withheld);
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
