/** An audio track while it is recorded. */
import type { RecordedTrack, Span } from './recording-index.ts';
import type { TrackFile } from './track-file.ts';

/** An audio track that is being recorded; times are in ms from the recording's start. */
export type LiveTrack = {
  entry: RecordedTrack;
  /** Undefined until the first packet has arrived. */
  file: TrackFile | undefined;
  opening: Promise<void> | undefined;
  muted_since_ms: number | undefined;
  spoke_since_ms: number | undefined;
};

/** Creates a track that has no file yet. */
export function createLiveTrack(owner: Pick<RecordedTrack, 'track_id' | 'identity' | 'name' | 'source'>): LiveTrack {
  const measures = { starts_ms: 0, duration_ms: 0, size_bytes: 0 };
  return {
    entry: { file: '', ...owner, ...measures, muted: [], spoke: [] },
    file: undefined,
    opening: undefined,
    muted_since_ms: undefined,
    spoke_since_ms: undefined,
  };
}

/** Closes a span, if one was open. */
export function closeSpan(
  spans: Span[],
  track: LiveTrack,
  begun: 'muted_since_ms' | 'spoke_since_ms',
  to_ms: number,
): void {
  const from_ms = track[begun];
  if (from_ms === undefined) return;
  track[begun] = undefined;
  spans.push({ from_ms, to_ms });
}
