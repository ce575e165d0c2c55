/** Sound and video files: what they hold, read in a thread of its own within bounds of time and memory. */
import { Worker } from 'node:worker_threads';
import type { Limits } from './limits.ts';

/** What a file of sound or video holds. */
export type Heard = { has_video: boolean; has_audio: boolean; duration_s?: number; waveform?: number[] };

/** Reads a file; undefined when it cannot be read, or not within its time. */
export function readSound(bytes: Uint8Array, content_type: string, limits: Limits): Promise<Heard | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('sound.worker.ts', import.meta.url), {
      workerData: { bytes, content_type },
      resourceLimits: { maxOldGenerationSizeMb: limits.decoding_memory_mb },
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    const settle = (heard: Heard | undefined) => {
      clearTimeout(timer);
      resolve(heard);
      void worker.terminate();
    };
    const timer = setTimeout(() => settle(undefined), limits.decoding_ms);
    worker.once('message', settle);
    worker.once('error', () => settle(undefined));
    worker.once('exit', () => settle(undefined));
  });
}
