/** An audio level meter. */
export interface Meter {
  /** The RMS level of the latest samples, of 1. */
  loudness(): number;
  /** Disconnects the meter from the stream. */
  disconnect(): void;
}

/** Creates a meter for a stream, over the given number of its latest samples, a power of 2. */
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
