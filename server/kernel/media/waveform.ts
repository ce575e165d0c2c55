/** The waveform of audio: a hundred numbers for a player to draw. */

import { default_limits } from '../load/limits.ts';

const { waveform_points } = default_limits;
/** Peaks are collected for windows of this length until the total length is known, in seconds. */
const window_s = 0.05;

/** Computes a waveform while audio is decoded. */
export type WaveformMeter = {
  /** Adds samples, one array per channel, each from -1 to 1. */
  add(channels: Float32Array[]): void;
  /** The duration, and a hundred levels relative to the loudest; undefined when there were no samples. */
  result(): { duration_s: number; waveform: number[] } | undefined;
};

/** Collects samples of one rate as they are decoded, so that hours of audio need little memory. */
export function createWaveformMeter(sample_rate: number): WaveformMeter {
  const window = Math.max(1, Math.round(sample_rate * window_s));
  const peaks: number[] = [];
  let samples = 0;
  let peak = 0;
  return {
    add(channels) {
      const length = channels[0]?.length ?? 0;
      for (let at = 0; at < length; at++) {
        for (const channel of channels) {
          const loudness = Math.abs(channel[at] ?? 0);
          // NaN compares as neither louder nor quieter.
          if (loudness > peak) peak = Math.min(1, loudness);
        }
        samples++;
        if (samples % window !== 0) continue;
        peaks.push(peak);
        peak = 0;
      }
    },
    result() {
      if (samples === 0) return undefined;
      const all = samples % window === 0 ? peaks : [...peaks, peak];
      return { duration_s: samples / sample_rate, waveform: condense(all) };
    },
  };
}

/** The peak of each hundredth, rounded to thousandths. */
function condense(peaks: number[]): number[] {
  let loudest = 0;
  for (const peak of peaks) loudest = Math.max(loudest, peak);
  return Array.from({ length: waveform_points }, (_, point) => {
    const from = Math.floor((point * peaks.length) / waveform_points);
    const to = Math.max(from + 1, Math.floor(((point + 1) * peaks.length) / waveform_points));
    let max = 0;
    for (let at = from; at < to; at++) max = Math.max(max, peaks[at] ?? 0);
    return loudest === 0 ? 0 : Math.round((max / loudest) * 1000) / 1000;
  });
}
