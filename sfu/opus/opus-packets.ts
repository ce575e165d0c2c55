/** The header of an Opus packet (RFC 6716, 3). */

const SAMPLES_PER_MS = 48;

/** The duration of an Opus packet in samples at 48 kHz (RFC 6716, 3.1); 0 when it is malformed. */
export function samplesOf(packet: Buffer): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frame_ms =
    config < 12
      ? ([10, 20, 40, 60][config & 3] ?? 0)
      : config < 16
        ? 10 << (config & 1)
        : ([2.5, 5, 10, 20][config & 3] ?? 0);
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  const samples = frame_ms * SAMPLES_PER_MS * frames;
  return samples > 120 * SAMPLES_PER_MS ? 0 : samples;
}
