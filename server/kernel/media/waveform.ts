/** The waveform of sound: a hundred numbers that a player draws. */

import { default_limits } from '../load/limits.ts';

const { waveform_points } = default_limits;
/** Peaks are kept for windows of this length until the whole length is known, in seconds. */
const window_s = 0.05;

export type Listener = {
  /** Hears the next samples, one array a channel, each from -1 to 1. */
  hear(channels: Float32Array[]): void;
  /** How long it was and how loud, each number relative to the loudest; undefined when nothing was heard. */
  result(): { duration_s: number; waveform: number[] } | undefined;
};

/** Listens to samples of one rate as they are decoded, so that hours of sound need no memory. */
export function createListener(sample_rate: number): Listener {
  const window = Math.max(1, Math.round(sample_rate * window_s));
  const peaks: number[] = [];
  let heard = 0;
  let peak = 0;
  return {
    hear(channels) {
      const length = channels[0]?.length ?? 0;
      for (let at = 0; at < length; at++) {
        for (const channel of channels) {
          const loudness = Math.abs(channel[at] ?? 0);
          // What is not a number is louder than nothing and quieter than all.
          if (loudness > peak) peak = Math.min(1, loudness);
        }
        heard++;
        if (heard % window !== 0) continue;
        peaks.push(peak);
        peak = 0;
      }
    },
    result() {
      if (heard === 0) return undefined;
      const all = heard % window === 0 ? peaks : [...peaks, peak];
      return { duration_s: heard / sample_rate, waveform: condense(all) };
    },
  };
}

/** The loudest of each hundredth, rounded to thousandths. */
function condense(peaks: number[]): number[] {
  let loudest = 0;
  for (const peak of peaks) loudest = Math.max(loudest, peak);
  return Array.from({ length: waveform_points }, (_, point) => {
    const from = Math.floor((point * peaks.length) / waveform_points);
    const to = Math.max(from + 1, Math.floor(((point + 1) * peaks.length) / waveform_points));
    let most = 0;
    for (let at = from; at < to; at++) most = Math.max(most, peaks[at] ?? 0);
    return loudest === 0 ? 0 : Math.round((most / loudest) * 1000) / 1000;
  });
}
