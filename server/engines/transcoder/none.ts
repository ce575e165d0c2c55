/** No decoder is installed: videos have no poster, some audio no waveform, and recordings no video. */
import type { Transcoder } from '../ports.ts';

/** No decoder is installed: nothing is readable, and nothing is composed. */
export function createNoTranscoder(): Transcoder {
  return {
    makes_video: false,
    watch: () => Promise.resolve(undefined),
    listen: () => Promise.resolve(false),
    mix: () => Promise.resolve(undefined),
    composeVideo: () => Promise.resolve(undefined),
  };
}
