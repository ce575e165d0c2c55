/** Where no decoder is installed: films have no poster, some kinds of sound no waveform, and recordings no pictures. */
import type { Transcoder } from '../ports.ts';

export function createNoTranscoder(): Transcoder {
  return {
    watch: () => Promise.resolve(undefined),
    listen: () => Promise.resolve(false),
    mix: () => Promise.resolve(undefined),
    film: () => Promise.resolve(undefined),
  };
}
