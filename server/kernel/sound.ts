/** Sound and video files: what they hold, read in a thread of its own within bounds of time and memory. */
import type { Limits } from './limits.ts';
import { runInThread } from './thread.ts';

/** What a file of sound or video holds. */
export type Heard = { has_video: boolean; has_audio: boolean; duration_s?: number; waveform?: number[] };

/** Reads a file; undefined when it cannot be read, or not within its time. */
export function readSound(bytes: Uint8Array, content_type: string, limits: Limits): Promise<Heard | undefined> {
  return runInThread(new URL('sound.worker.ts', import.meta.url), { bytes, content_type }, limits);
}
