/** Where no decoder is installed: films have no poster, and some kinds of sound no waveform. */
import type { Transcoder } from './ports.ts';

export function createNoTranscoder(): Transcoder {
  return { watch: () => Promise.resolve(undefined), listen: () => Promise.resolve(false) };
}
