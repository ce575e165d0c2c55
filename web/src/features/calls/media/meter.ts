/** How loud a sound is at a moment. */
export interface Meter {
  /** The root of the mean square of the last samples, of 1. */
  loudness(): number;
  /** Lets go of the sound; what else hears it goes on. */
  disconnect(): void;
}

/** Measures a stream in a context; so many of its newest samples are looked at, a power of 2. */
export function createMeter(context: AudioContext, stream: MediaStream, sample_count: number): Meter {
  const analyser = context.createAnalyser();
  analyser.fftSize = sample_count;
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
  const samples = new Float32Array(sample_count);
  return {
    loudness() {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / sample_count);
    },
    disconnect() {
      source.disconnect();
      analyser.disconnect();
    },
  };
}
